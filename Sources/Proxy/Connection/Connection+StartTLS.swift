import Facts
import Policy
import Wire

/// Dialogues in which a client asks for TLS, and finds none on offer (`Conduct.denialOfTLS`).
extension Connection {
    func copyWithoutOffer(_ bytes: Span<UInt8>, fromClient: Bool) {
        guard fromClient else {
            guard let changed = intake.offer?.fromServer(bytes) else { return }
            return sendOn(changed.span, fromClient: false)
        }
        guard let changed = intake.offer?.fromClient(bytes) else { return }
        if !changed.onward.isEmpty { sendOn(changed.onward.span, fromClient: true) }
        guard !changed.answer.isEmpty, case .copying = machine.state else { return }
        look(changed.answer.span, .down)
        sendOn(changed.answer.span, fromClient: false)
    }

    /// A client that had nothing of its own to say in the clear has met the attack, and did not fall for it.
    func noteOffersEnd() {
        guard intake.offer?.wasTaken == true, case .attack(let attack, let variant, _) = machine.plan.phase else {
            return
        }
        let saidMore = evidence.tookTLSAway()
        notes.did(saidMore ? .tunnelled : .intercepted)
        notes.met(attack.id, variant.name)
    }
}
