import Facts
import Policy
import Testing

@testable import Verdict

// Clients that come to TLS within a dialogue in the clear, and find none on offer there.

/// What a client says where TLS is taken away.
private enum Words {
    /// Nothing of its own.
    case farewell
    case letter
    /// It comes to TLS by a way that could not be taken away.
    case tls
    /// It is not seen in that trial.
    case none
}

private let few = AttackSelection.list([.trustedCA, .untrustedCA, "cleartext-fallback"])

/// A pinned app that has a dialogue as well, in each trial.
private func judged(
    _ words: Words?, _ selection: AttackSelection = few, stack: String = "openssl"
) throws -> (verdict: HostVerdict, trials: [Trial]) {
    var trials: [Trial] = []
    let judgement = provenApp.judge(.test(), selection, coldStarts: 1) { trial in
        trials.append(trial)
        guard let words else { return [] }
        var seen = Script.tunnelled("api.test", stack: stack)
        seen.target = Endpoint("api.test", 25)
        if let attack = trial.attack, let variant = trial.variant, variant.conduct.denialOfTLS != nil {
            seen.attack = attack.id
            seen.variant = variant.name
            if words != .tls { seen.hello = nil }
            seen.passthroughData = words == .tls
            seen.serverAnswered = words == .tls
            seen.clearUp = 14
            seen.bytesUp = words == .letter ? 28 : words == .tls ? 600 : 0
            if words == .farewell { seen.action = .intercepted }
            seen.first = .init(shape: "14 bytes", sha256: "00")
            return words == .none ? [] : [seen]
        }
        if let attack = trial.attack {
            let variant = trial.variant?.name
            seen = Script.intercepted("api.test", attack.id, variant: variant, stack: stack, .post(.closeNotify))
            if attack.id == "cleartext-fallback" || attack.id == .untrustedCA { seen = .like(seen, .alert(48)) }
        }
        seen.clearUp = 14
        return [seen]
    }
    return (try judgement.host("api.test"), trials)
}

private func isTried(_ trials: [Trial]) -> Bool { trials.contains { $0.variant?.name == "no-starttls" } }

@Test("without a dialogue that comes to TLS, its offer is not taken away, and nothing is lacking")
func noDialogue() throws {
    #expect(try !isTried(judged(nil, .set(.all)).trials))
    // By name it is tried all the same.
    let (verdict, trials) = try judged(nil)
    #expect(verdict.verdict == .provenPinned && isTried(trials))
    #expect(!verdict.findings.contains { $0.id == "no-occasion" && "\($0.fact)".contains("starttls") })
}

@Test("a client that leaves, having said nothing of its own, has refused to go on without TLS")
func leaves() throws {
    let (verdict, trials) = try judged(.farewell)
    #expect(verdict.verdict == .provenPinned && isTried(trials))
    #expect(!verdict.has("plain-http") && !verdict.has("unread-tunnel"))
}

@Test("one that goes on says in the clear what it says untouched under TLS")
func goesOn() throws {
    let (verdict, _) = try judged(.letter)
    #expect(verdict.verdict == .refusedUnproven)
    #expect(
        verdict.missing == [
            .attack("cleartext-fallback"), .finding("leak-after-refusal"), .attack("cleartext-fallback/no-starttls"),
            .attack("cleartext-fallback/starttls-refused"),
        ])
    #expect(try verdict.finding("leak-after-refusal").severity == .error)
}

@Test("where the offer could not be taken away, or the dialogue did not come, that is open")
func notTakenAway() throws {
    for words in [Words.tls, .none] {
        let open = ["cleartext-fallback/no-starttls", "cleartext-fallback/starttls-refused"]
        #expect(try judged(words).verdict.missing == open.map { .attack(AttackID($0)) }, "\(words)")
    }
}
