import Facts
import Loop
import Wire

/// A ClientHello that comes after other bytes in a tunnel (STARTTLS), and servers that speak first.
extension Connection {
    /// The client's bytes in a tunnel that has not come to TLS.
    func lookForHello(_ bytes: Span<UInt8>) {
        guard intake.lateHello?.skips(bytes) == false, var search = intake.lateHello else {
            return copy(bytes, fromClient: true)
        }
        let found = search.read(bytes)
        intake.lateHello = found.isOver ? nil : search
        if !found.before.isEmpty { copy(found.before.span, fromClient: true) }
        guard let hello = found.hello else { return }
        // What is ending already is copied to its end.
        guard case .copying = machine.state, machine.ends.first == nil else {
            return copy(found.rest.span, fromClient: true)
        }
        // It has come to TLS all the same.
        intake.offer = nil
        // What TLS protects is nobody's to read.
        reader?.ended(nil, isAnswerLost: false, at: now)
        reader = nil
        evidence.beginsTLS()
        notes.beginsTLS()
        intake.pending = found.rest
        intake.answers = ClearBeforeTLS()
        heard(hello)
    }

    /// What the origin says first while its handshake is awaited: where the client's hello came together with its request
    /// for TLS, the answer to that, which is the client's.
    ///
    /// - Returns: what belongs to the handshake.
    func passingAnswers(_ bytes: Span<UInt8>) -> [UInt8]? {
        guard let parts = intake.answers?.read(bytes) else { return nil }
        if intake.answers?.isOver == true { intake.answers = nil }
        if !parts.clear.isEmpty { client.write(parts.clear) }
        return parts.tls
    }

    /// What was held back as the beginning of a hello was none.
    func releaseHeld() {
        guard let bytes = intake.lateHello?.release(), !bytes.isEmpty else { return }
        copy(bytes.span, fromClient: true)
    }

    /// Looks at a client that says nothing: whether it waits for its server to begin, or for the rest of its own words.
    ///
    /// A server of TLS never speaks first. So to listen to the origin changes nothing for a client that is about to begin.
    func listenWhereSilent(_ now: Double) {
        switch machine.state {
        case .listening where now - machine.since > Patience.silentBeforeCall && intake.pending.isEmpty:
            intake.wasListenedTo = true
            handle(.nothingSaid)
        case .hello(.some) where now - machine.since > Patience.silentClient && intake.pending.isEmpty:
            if machine.lacking != nil { handle(.nothingSaid) } else { origin?.resume() }
        case .copying:
            guard let search = intake.lateHello, search.holds else { return }
            let patience = search.isLikely ? Patience.cutHello : Patience.silentClient
            if now - machine.lastActivity > patience { releaseHeld() }
        default: break
        }
    }
}
