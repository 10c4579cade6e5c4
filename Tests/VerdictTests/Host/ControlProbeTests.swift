import Facts
import Policy
import Report
import Testing

@testable import Verdict

/// Refuses everything in the handshake, with one alert.
private let pinned = App.Visit.always("api.test", .alert(46))

private func control(
    _ untrusted: @escaping @Sendable (Int) -> [Act]?, stack: String = "openssl"
) -> App.Visit {
    App.Visit(host: "cdn.test", stack: stack) { attack, nth in
        attack == .untrustedCA ? untrusted(nth) : [.request(96)]
    }
}

private func judge(_ visits: App.Visit..., coldStarts: Int = 3) throws -> (verdict: HostVerdict, judgement: Judgement) {
    let judgement = App(visits: visits).judge(.test(), .set(.quick), coldStarts: coldStarts)
    return (try judgement.host("api.test"), judgement)
}

@Test("a control that takes a CA that nobody installed shows no trust in ours, and is named")
func credulousControl() throws {
    let (verdict, judgement) = try judge(control { _ in [.request(96)] }, pinned)
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing == [.trustControl])
    #expect(verdict.seen.controls.map(\.fate) == [.tookAnyCA])
    let finding = try #require(judgement.findings.first { $0.id == "any-certificate" })
    #expect(finding.host == "cdn.test" && finding.severity == .warning && !finding.evidence.isEmpty)
    // A preface alone is data too, and once is enough.
    #expect(try judge(control { _ in [.preface] }, pinned).verdict.verdict == .refusedUnproven)
    #expect(try judge(control { _ in [.alert(48), .request(9)] }, pinned).verdict.verdict == .refusedUnproven)
}

@Test("a control that refuses it is one, on the stack on which it did")
func discerningControl() throws {
    #expect(try judge(control { _ in [.alert(48)] }, pinned).verdict.strength == .s2a)
    // A second stack that takes everything spoils nothing for the first one.
    let mixed = try judge(
        control { _ in [.alert(48)] }, control({ _ in [.request(96)] }, stack: "sdk"), pinned)
    #expect(mixed.verdict.strength == .s2a)
    #expect(mixed.judgement.findings.contains { $0.id == "any-certificate" })
    // Nor does it make a control of one that was never shown it on the host's stack.
    let elsewhere = try judge(control { _ in nil }, control({ _ in [.alert(48)] }, stack: "sdk"), pinned)
    #expect(elsewhere.verdict.missing == [.trustControl])
    #expect(elsewhere.verdict.seen.controls.map(\.fate) == [.notProbed])
}

@Test("a control that only closed in company is shown the unknown CA alone, with the host untouched")
func probedAlone() throws {
    // The host comes first: what the control does after its refusal may be because of that.
    let silent = App.Visit.always("api.test", .post())
    for coldStarts in [1, 3] {
        let app = App(visits: [silent, control { _ in [.post()] }])
        let (evidence, trials) = app.run(.test(), .set(.quick), coldStarts: coldStarts)
        let probes = trials.filter { $0.id == .untrustedCA && $0.only == ["cdn.test"] }
        #expect(probes.count == 1)
        let verdict = try Judge.judge(profile: .test(), runs: [evidence]).host("api.test")
        #expect(verdict.verdict == .provenPinned, "\(verdict.why) \(verdict.missing)")
        #expect(verdict.strength == .s2a)
    }
}

@Test("a host that only closed in the company of its control is shown the unknown CA alone")
func hostAlone() throws {
    let app = App(visits: [control { _ in [.post()] }, .always("api.test", .post())])
    let (evidence, trials) = app.run(.test(), .set(.quick), coldStarts: 1)
    #expect(trials.contains { $0.id == .untrustedCA && $0.only == ["api.test"] })
    #expect(try Judge.judge(profile: .test(), runs: [evidence]).host("api.test").verdict == .provenPinned)
}

@Test("a control that takes any certificate only after it was refused once is found all the same")
func forgivingControl() throws {
    // After the host's refusal it closes a spare connection; with the host untouched it sends its request.
    var sdk = control { _ in [.request(96)] }
    sdk.after = "api.test"
    sdk.instead = [.post()]
    let app = App(visits: [.always("api.test", .post()), .accepting("cdn.test", stack: "else"), sdk])
    let (evidence, trials) = app.run(.test(), .set(.quick))
    let verdict = try Judge.judge(profile: .test(), runs: [evidence]).host("api.test")
    #expect(verdict.missing == [.trustControl])
    #expect(!trials.isEmpty)
}

@Test("the trial that shows an accepted host the unknown CA says nothing of whether it works")
func acceptedHost() throws {
    let profile = Profile.test(accept: ["cdn.test"], controls: [])
    let taking = App(visits: [.accepting("cdn.test"), pinned]).judge(profile, .set(.quick))
    #expect(try taking.host("cdn.test").verdict == .accepted)
    #expect(try taking.host("cdn.test").has("refused-once") == false)
    let refusing = App(visits: [
        App.Visit(host: "cdn.test") { attack, _ in attack == .untrustedCA ? [.request(96)] : [.alert(46)] }
    ]).judge(profile, .set(.quick))
    #expect(try refusing.host("cdn.test").verdict == .refused)
}

@Test("an update host is not blocked by refusing the unknown CA as it should")
func updateHost() throws {
    var profile = Profile.test(accept: ["cdn.test"], controls: [])
    profile.rules[1].tellsUpdates = true
    let judgement = App(visits: [.accepting("cdn.test"), pinned]).judge(profile, .set(.quick))
    #expect(try judgement.host("cdn.test").has("blocked-update-host") == false)
}

@Test("S2c proves by the profile's word, and never against a control that refused, whenever it was visited")
func controlAgainstDifferential() throws {
    let vouched = Profile.test(onlyPins: true)
    let late = App.Visit.pinned("api.test")
    #expect(try App(visits: [late]).judge(vouched, .set(.quick)).host("api.test").strength == .s2c)
    // Certificate Transparency, or whatever else refuses everything that this CA signs.
    for control in [App.Visit.pinned("cdn.test"), .always("cdn.test", .post())] {
        for visits in [[control, late], [late, control]] {
            let verdict = try App(visits: visits).judge(vouched, .set(.quick)).host("api.test")
            #expect(verdict.verdict == .refusedUnproven)
            #expect(verdict.missing.contains(.trustControl))
            #expect(verdict.has("refusal-unexplained"))
        }
    }
}

@Test("a lent key that the profile lists among the pins, and that is refused, stands in the way of a proof")
func lentPinRefused() throws {
    var profile = Profile.test(pins: [Script.genuinePin, Script.otherPin], lent: ["api.test": .init(backupKey: "k")])
    let app = App(visits: [.accepting("cdn.test"), pinned])
    var evidence = app.run(profile, .set(.quick)).evidence
    #expect(try Judge.judge(profile: profile, runs: [evidence]).host("api.test").verdict == .provenPinned)
    guard case .header(var header) = evidence.records[0].record else { return }
    header.lentKeys = ["api.test": Script.otherPin.base64]
    evidence.records[0] = NumberedRecord(line: 1, .header(header))
    let verdict = try Judge.judge(profile: profile, runs: [evidence]).host("api.test")
    #expect(verdict.missing == [.finding("lent-key-refused")])
    // A backup key that the profile does not speak of may be another build's.
    profile.rules[0].pins = [Script.genuinePin]
    #expect(try Judge.judge(profile: profile, runs: [evidence]).host("api.test").verdict == .provenPinned)
}
