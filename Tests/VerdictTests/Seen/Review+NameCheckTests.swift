import Facts
import Policy
import Testing

@testable import Verdict

private let profile = Profile.test(
    lent: ["api.test": LentMaterial(sameCAChain: "s.pem", otherHost: ["o.pem", "o.key"])])

private func review(trusted: [Act], sameCA: Act, lent: Act? = nil) -> Review {
    var script = Script(
        coldStarts: 1, attacks: ["other-host"],
        variants: ["trusted-ca", "untrusted-ca", "other-host/same-ca", "other-host/lent"])
    script.start(.passthrough)
    script.tunnel("api.test")
    script.end()
    script.start(.trustedCA)
    for act in trusted { script.attack("api.test", .trustedCA, act) }
    script.end()
    script.start("other-host", variant: "same-ca", only: ["api.test"])
    script.attack("api.test", "other-host", variant: "same-ca", sameCA)
    script.end()
    if let lent {
        script.start("other-host", variant: "lent", only: ["api.test"])
        script.attack("api.test", "other-host", variant: "lent", lent)
        script.end()
    }
    script.finish()
    let file = CaseFile(profile: profile, runs: [script.evidence])
    return Review(file, "api.test", expect: .refuse)
}

private func suspects(trusted: [Act], sameCA: Act, lent: Act? = nil) -> Int {
    review(trusted: trusted, sameCA: sameCA, lent: lent).certificateStagePassedForOtherHost.count
}

@Test("a client that finds nothing wrong with another host's certificate but its signature did not look at the name")
func passed() {
    for code: UInt8 in [10, 40, 51] { #expect(suspects(trusted: [.alert(46)], sameCA: .alert(code)) == 1) }
    #expect(suspects(trusted: [.alert(46)], sameCA: .alert(42)) == 0)
    #expect(suspects(trusted: [.alert(46)], sameCA: .silent()) == 0)
}

@Test("one that refuses after the handshake, or in silence, had not come to its check")
func sayNothing() {
    for act in [Act.post(), .lateAlert(46), .silent(), .alert(40)] {
        #expect(suspects(trusted: [act], sameCA: .alert(51)) == 0, "\(act)")
    }
    #expect(suspects(trusted: [.alert(46), .post()], sameCA: .alert(51)) == 0)
    #expect(suspects(trusted: [], sameCA: .alert(51)) == 0)
}

@Test("one that finishes a handshake with another host's key and goes no further looks at the name after it")
func nameCheckedLate() {
    #expect(suspects(trusted: [.alert(46)], sameCA: .alert(51), lent: .post()) == 0)
    #expect(suspects(trusted: [.alert(46)], sameCA: .alert(51), lent: .lateAlert(42)) == 0)
    // Refused where the other one passed, it was refused for something else; and data is no refusal.
    #expect(suspects(trusted: [.alert(46)], sameCA: .alert(51), lent: .alert(48)) == 1)
    #expect(suspects(trusted: [.alert(46)], sameCA: .alert(51), lent: .request(40)) == 1)
}

@Test("that the name is checked is shown by a refusal that is not about the signature, and by none other")
func nameChecked() {
    let shown = { review(trusted: [.alert(48)], sameCA: $0, lent: $1).refusesOtherNames }
    #expect(shown(.alert(42), nil))
    #expect(shown(.alert(51), .post()))
    #expect(!shown(.alert(51), nil))
    #expect(!shown(.silent(), nil))
    #expect(!shown(.alert(51), .request(40)))
}
