import Facts
import Policy
import Report
import Testing

@testable import Verdict

private let profile = Profile.test(refuse: [], accept: ["cdn.test"], controls: [])

private func judge(_ visit: App.Visit, profile: Profile = profile) throws -> HostVerdict {
    try App(visits: [visit]).judge(profile, .set(.quick)).host("cdn.test")
}

@Test("data under the trusted CA is acceptance, however often it was refused besides")
func accepted() throws {
    let verdict = try judge(.accepting("cdn.test"))
    #expect(verdict.verdict == .accepted)
    #expect(verdict.why == "sent 96 bytes (http/1 GET) under trusted-ca")
    #expect(verdict.findings.isEmpty)

    let once = try judge(App.Visit(host: "cdn.test") { _, nth in nth == 2 ? [.request(9)] : [.alert(46)] })
    #expect(once.verdict == .accepted)
    #expect(once.findings.map(\.id) == ["refused-once"])
    #expect(once.findings.first?.severity == .warning)
}

@Test("a refusal in every trial of a host that works untouched is one")
func refused() throws {
    for act in [Act.alert(46), .post(), .silent(), .silent(.rst), .lateAlert(42)] {
        #expect(try judge(.always("cdn.test", act)).verdict == .refused)
    }
}

@Test("what is unclear is not held against the app")
func unclearAcceptance() throws {
    for acts in [[Act.idle], [.early], [.alert(46), .idle], [.preface], [.resumed(0)]] {
        let verdict = try judge(App.Visit(host: "cdn.test") { _, _ in acts })
        #expect(verdict.verdict == .notExercised, "\(acts)")
        #expect(!verdict.why.isEmpty)
    }
    let mixed = try judge(App.Visit(host: "cdn.test") { _, nth in nth == 2 ? [.early] : [.alert(46)] })
    #expect(mixed.verdict == .notExercised)
}

@Test("without genuine traffic a refusal says nothing")
func acceptedNeverUntouched() throws {
    var visit = App.Visit.always("cdn.test", .alert(46))
    visit.untouched = { _ in nil }
    #expect(try judge(visit).verdict == .notExercised)
    visit.untouched = { _ in false }
    #expect(try judge(visit).verdict == .invalidEnvironment)
}

@Test("negotiation and origin faults are the environment's")
func environment() throws {
    #expect(try judge(.always("cdn.test", .negotiation(70))).verdict == .invalidEnvironment)
    #expect(try judge(.always("cdn.test", .noOrigin("no route"))).verdict == .invalidEnvironment)
}

@Test("a control that refuses is no failure, and gets no verdict")
func controlsHaveNoVerdict() {
    let profile = Profile.test(refuse: ["api.test"], controls: ["cdn.test"])
    let app = App(visits: [.always("cdn.test", .alert(46)), .always("api.test", .alert(46))])
    let judgement = app.judge(profile)
    #expect(judgement.hosts.map(\.host) == ["api.test"])
    #expect(judgement.result == .inconclusive)
}
