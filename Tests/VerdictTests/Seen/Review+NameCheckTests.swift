import Facts
import Policy
import Testing

@testable import Verdict

private let profile = Profile.test(lent: ["api.test": LentMaterial(sameCAChain: "s.pem")])

private func suspects(trusted: [Act], sameCA: Act) -> Int {
    var script = Script(
        coldStarts: 1, attacks: ["other-host"], variants: ["trusted-ca", "untrusted-ca", "other-host/same-ca"])
    script.start(.trustedCA)
    for act in trusted { script.attack("api.test", .trustedCA, act) }
    script.end()
    script.start("other-host", variant: "same-ca", only: ["api.test"])
    script.attack("api.test", "other-host", variant: "same-ca", sameCA)
    script.end()
    script.finish()
    let file = CaseFile(profile: profile, runs: [script.evidence])
    return Review(file, "api.test", expect: .refuse).certificateStagePassedForOtherHost.count
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
