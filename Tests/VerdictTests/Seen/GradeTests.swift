import Facts
import Policy
import Testing

@testable import Verdict

// Which alerts are an answer to the chain, by what was shown.

@Test(
    "a client that looks an anchor up by its name says of a look-alike that its signature is wrong: that is a refusal")
func anchorsByName() throws {
    let clones: [AttackID] = ["cloned-identity", "other-host", "expired", "not-yet-valid"]
    var run = Edited()
    run.edit("api.test", in: clones.flatMap(run.numbers), { $0 = .like($0, .alert(51)) })
    #expect(try run.verdict().verdict == .provenPinned)
    // Other words for "I cannot read you" are none.
    for code in [UInt8(10), 20, 21, 22, 30, 110] {
        run.edit("api.test", in: clones.flatMap(run.numbers), { $0 = .like($0, .alert(code)) })
        #expect(Set(try run.verdict().missing) == Set(clones.map { Missing.attack($0) }))
    }
    // Nor where the issuers have names of their own, …
    for honest in [AttackID.untrustedCA, "self-signed", "silent-server"] {
        var run = Edited()
        run.edit("api.test", in: run.numbers(honest), { $0 = .like($0, .alert(51)) })
        try run.lacks(.attack(honest))
    }
    // … as in what was shown in a clone's place, …
    run.edit(
        "api.test", in: clones.flatMap(run.numbers),
        {
            $0 = .like($0, .alert(51))
            $0.unlike = ["plain-chain"]
        })
    #expect(Set(try run.verdict().missing) == Set(clones.map { Missing.attack($0) }))
    // … nor from a stack that says so of any signature of ours.
    run = Edited()
    run.edit("api.test", in: clones.flatMap(run.numbers), { $0 = .like($0, .alert(51)) })
    run.edit("api.test", in: [run.numbers(.trustedCA)[0]], { $0 = .like($0, .alert(51)) })
    #expect(Set(try run.verdict().missing) == Set(clones.map { Missing.attack($0) } + [.coldStarts]))
}

@Test("a word about the signature of the key exchange answers the wrong key, in TLS 1.2 as in 1.3")
func illegalParameterUnderWrongKey() throws {
    var run = Edited()
    run.edit("api.test", in: run.numbers("wrong-key"), { $0 = .like($0, .alert(47)) })
    let verdict = try run.verdict()
    #expect(verdict.verdict == .provenPinned)
    #expect(verdict.has("signature-stage"))
    // Under an honest signature it is a fault of ours.
    run.edit("api.test", in: run.numbers(.trustedCA), { $0 = .like($0, .alert(47)) })
    #expect(try run.verdict().verdict == .invalidEnvironment)
}

@Test("a certificate that cannot be parsed is refused in so many words where it is unusable on purpose")
func decodeError() throws {
    var run = Edited(provenApp, .test(), .set(.all))
    let unusable: [AttackID] = ["leaf-as-ca", "bad-signature", "wrong-usage", "weak-crypto"]
    run.edit("api.test", in: unusable.flatMap(run.numbers), { $0 = .like($0, .alert(50)) })
    #expect(try run.verdict().verdict == .provenPinned)
}
