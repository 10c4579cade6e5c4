import Facts
import Policy
import Testing

@testable import Report
@testable import Verdict

private func note(_ verdict: HostVerdict) throws -> String {
    try #require(verdict.findings.first { $0.id == "other-explanations" }).text
}

@Test("a proof says what else could explain the refusals, and what of it a control has excluded")
func explanations() throws {
    var run = Edited()
    run.edit("api.test", in: run.numbers(.trustedCA)) { $0.unlike = ["root-name", "sct", "of-tomorrow"] }
    let text = try note(run.verdict())
    #expect(text.contains("Certificate Transparency, is excluded: cdn.test took one of the same CA"))
    #expect(text.contains("a rule for this host alone, or for what its certificate alone says"))
    #expect(
        text.contains("differs from the genuine one in of-tomorrow, the root's name and Certificate Transparency's"))
    // S2c excludes less, and says by whose word.
    let alone = App(visits: [.pinned("api.test")])
    let verdict = try alone.judge(.test(controls: [], onlyPins: true)).host("api.test")
    #expect(try note(verdict).contains("by the profile's word alone"))
    // Where nothing is proven, there is nothing to explain.
    #expect(try alone.judge(.test(controls: [])).host("api.test").has("other-explanations") == false)
}

/// Pins a CA: it says that it knows no other one.
private let caPinned = App(visits: [.accepting("cdn.test"), .always("api.test", .alert(48))])

extension Edited {
    /// What the origin showed: a leaf, and the issuers above it.
    fileprivate mutating func shows(_ spki: [String]) {
        edit("api.test", in: Array(trials.keys)) { $0.upstream?.spki = spki }
    }
}

@Test("a proof by a control says that the app denied the CA which the control took, and that this need be no pin")
func deniesCA() throws {
    let verdict = try Edited(caPinned).verdict()
    #expect(verdict.verdict == .provenPinned && verdict.strength == .s2a)
    let text = try note(verdict)
    #expect(text.contains("said that it does not know the CA (unknown_ca), though the control took it"))
    #expect(text.contains("a list of public CAs") && text.contains("name them under anchors"))
    #expect(try #require(Claim(verdict)).limits.contains { $0.contains("other CAs for this host") })
    // Other words may be a pin's, and one word for the CA and another for an unknown one is no denial.
    for app in [provenApp, App(visits: [.accepting("cdn.test"), .always("api.test", .alert(46))])] {
        #expect(try !note(Edited(app).verdict()).contains("does not know the CA"))
    }
    var once = Edited(caPinned)
    once.edit("api.test", in: Array(once.numbers(.trustedCA).prefix(1))) { $0 = .like($0, .alert(46)) }
    #expect(try !note(once.verdict()).contains("does not know the CA"))
}

@Test("a proof of a CA's pin says that the name was not seen to be checked, and what to lend")
func pinsAuthority() throws {
    let (leaf, issuer) = (Script.genuinePin, Script.otherPin)
    let open = { (pins: [Pin], spki: [String]) in
        var run = Edited(caPinned)
        run.shows(spki)
        return try note(run.verdict(.test(pins: pins))).contains("same_ca_chain")
    }
    #expect(try open([issuer], [leaf.base64, issuer.base64]))
    #expect(try !open([leaf], [leaf.base64, issuer.base64]))
    #expect(try !open([leaf, issuer], [leaf.base64, issuer.base64]))
    #expect(try !open([], [leaf.base64, issuer.base64]))
    let lent = Profile.test(pins: [issuer], lent: ["api.test": LentMaterial(sameCAChain: "s.pem")])
    var run = Edited(caPinned, lent)
    run.edit("api.test", in: run.numbers("other-host")) { seen in
        if seen.variant == "same-ca" { seen = .like(seen, .alert(42)) }
    }
    run.shows([leaf.base64, issuer.base64])
    #expect(try !note(run.verdict(lent)).contains("same_ca_chain"))
}
