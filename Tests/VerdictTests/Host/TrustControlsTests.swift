import Facts
import Policy
import Report
import Testing

@testable import Verdict

private let alone = Profile.test(controls: [], onlyPins: true)

/// Another run in which the host took `trusted-ca`, and would not have `untrusted-ca`.
private func twin(
    ca: String = Script.ca, host: HostName = "api.test", stack: String = "openssl", _ act: Act = .request(50),
    untrusted: Act? = .alert(48)
) -> RunEvidence {
    var script = Script(coldStarts: 1, attacks: [], ca: ca)
    script.start(.trustedCA)
    script.attack(host, .trustedCA, stack: stack, act)
    script.end()
    if let untrusted {
        script.start(.untrustedCA)
        script.attack(host, .untrustedCA, stack: stack, untrusted)
        script.end()
    }
    script.finish()
    return script.evidence
}

private let indistinct = App(visits: [.always("api.test", .alert(46))])

private func judge(_ control: RunEvidence, sameAnchors: Bool = true) throws -> HostVerdict {
    let profile = Profile.test(controls: [], sameAnchors: sameAnchors)
    return try indistinct.judge(profile, controls: [control]).host("api.test")
}

@Test("S2b: another build's data at the host under the same CA, on the same stack, with the same anchors")
func otherBuild() throws {
    let verdict = try judge(twin())
    #expect(verdict.verdict == .provenPinned)
    #expect(verdict.strength == .s2b)
    #expect(!verdict.has("evidence-not-counted"))
}

@Test("another run that differs in anything is a note, and says in what")
func uselessTwins() throws {
    func expect(_ control: RunEvidence, sameAnchors: Bool = true, _ why: String) throws {
        let verdict = try judge(control, sameAnchors: sameAnchors)
        #expect(verdict.verdict == .refusedUnproven)
        #expect(verdict.missing == [.trustControl])
        let note = try #require(verdict.findings.first { $0.id == "evidence-not-counted" })
        #expect(note.severity == .note)
        #expect(note.text.contains(why))
    }
    try expect(twin(), sameAnchors: false, "same_anchors")
    try expect(twin(ca: "bb"), "another CA")
    try expect(twin(host: "else.test"), "no data to this host")
    try expect(twin(.post()), "no data to this host")
    try expect(twin(.preface), "no data to this host")
    try expect(twin(.resumed(80)), "no data to this host")
    try expect(twin(stack: "webview"), "another TLS stack")
    try expect(twin(untrusted: nil), "may take any certificate")
    try expect(twin(untrusted: .request(50)), "may take any certificate")
    try expect(twin(untrusted: .early), "may take any certificate")
    try expect(RunEvidence([]), "supports no verdict itself")
    var broken = twin()
    broken.records.removeAll { if case .selfTest = $0.record { true } else { false } }
    try expect(broken, "supports no verdict itself")
}

@Test("data in another build is no witness against this one")
func twinIsNoWitness() throws {
    #expect(try judge(twin()).verdict != .notPinned)
}

// The differential.

private func script(_ trials: [(AttackID, Act)], version: (Int) -> TLSVersion? = { _ in .tls13 }) throws -> HostVerdict
{
    var script = Script(coldStarts: 2, attacks: [])
    var number = 0
    func untouched() {
        script.start(.passthrough)
        script.tunnel("api.test")
        script.end()
    }
    untouched()
    for (attack, act) in trials {
        script.start(attack)
        var seen = Script.intercepted("api.test", attack, act)
        seen.negotiated = version(number).map { Negotiated(version: $0, cipher: "", alpn: nil) }
        seen.upstream?.negotiated = nil
        script.add(seen)
        script.end()
        number += 1
    }
    untouched()
    script.finish()
    return try Judge.judge(profile: alone, runs: [script.evidence]).host("api.test")
}

private let (t, u) = (AttackID.trustedCA, AttackID.untrustedCA)

@Test("S2c: finished under the trusted CA and never under another, repeatedly, in both orders")
func differential() throws {
    let verdict = try script([(t, .post()), (u, .alert(48)), (t, .post()), (u, .alert(48))])
    #expect(verdict.verdict == .provenPinned)
    #expect(verdict.strength == .s2c)
    // Silent in the handshake is as good as an alert there, and an alert after Finished as good as a close.
    #expect(try script([(t, .lateAlert(46)), (u, .silent()), (t, .post()), (u, .silent())]).strength == .s2c)
}

@Test("anything less than a clean differential is none")
func uncleanDifferentials() throws {
    for trials: [(AttackID, Act)] in [
        // the wrong way round
        [(t, .alert(48)), (u, .post()), (t, .alert(48)), (u, .post())],
        // no difference
        [(t, .post()), (u, .post()), (t, .post()), (u, .post())],
        [(t, .alert(42)), (u, .alert(48)), (t, .alert(42)), (u, .alert(48))],
        // not every time
        [(t, .post()), (u, .alert(48)), (t, .alert(48)), (u, .alert(48))],
        [(t, .post()), (u, .alert(48)), (t, .post()), (u, .post())],
        // too few
        [(t, .post()), (u, .alert(48)), (t, .post())],
        // one order only: an environment that changed on the way looks the same
        [(t, .post()), (t, .post()), (u, .alert(48)), (u, .alert(48))],
        [(u, .alert(48)), (u, .alert(48)), (t, .post()), (t, .post())],
        // a crash is no answer
        [(t, .post()), (u, .silent(.rst)), (t, .post()), (u, .silent(.rst))],
        // finished where nothing can be trusted
        [(t, .post()), (u, .alert(48)), (t, .post()), (u, .alert(48)), ("self-signed", .post())],
    ] {
        let verdict = try script(trials)
        #expect(verdict.verdict == .refusedUnproven)
        #expect(verdict.missing.contains(.trustControl), "\(trials)")
    }
}

@Test("images under different TLS versions are not compared: one client refuses differently in each")
func versions() throws {
    let trials: [(AttackID, Act)] = [(t, .post()), (u, .silent()), (t, .post()), (u, .silent())]
    #expect(try script(trials).verdict == .provenPinned)
    let mixed = try script(trials) { $0 % 2 == 0 ? .tls12 : .tls13 }
    #expect(mixed.verdict == .refusedUnproven)
    // Unknown on both sides is not equal.
    let unknown = try script(trials) { _ in nil }
    #expect(unknown.verdict == .refusedUnproven)
}

@Test("an accepted host is a control, a tunnelled or refusing one is not")
func whichHostsAreControls() throws {
    let app = App(visits: [.accepting("cdn.test"), .always("api.test", .alert(46))])
    #expect(try app.judge(.test(accept: ["cdn.test"], controls: [])).host("api.test").strength == .s2a)
    let refusing = Profile.test(refuse: ["api.test", "cdn.test"], controls: ["cdn.test"])
    #expect(try app.judge(refusing).host("api.test").verdict == .refusedUnproven)
}

@Test("a tunnelled host within a control's pattern is never touched, and no control")
func tunnelledWithinAControlsPattern() throws {
    let app = App(visits: [.accepting("cdn.test"), .always("api.test", .alert(46))])
    let judgement = app.judge(.test(tunnel: ["cdn.test"], controls: ["*.test"]))
    #expect(try judgement.host("cdn.test").verdict == .tunnelled)
    #expect(try judgement.host("api.test").verdict == .refusedUnproven)
}

@Test("the strength is that of the weakest stack, each by its best control")
func weakestStack() throws {
    let app = App(visits: [
        .accepting("cdn.test"), .always("api.test", .alert(46)),
        .pinned("api.test", stack: "webview", trusted: [.post()], untrusted: [.alert(46)]),
    ])
    #expect(try app.judge(.test()).host("api.test").missing == [.trustControl])
    let verdict = try app.judge(.test(onlyPins: true)).host("api.test")
    #expect(verdict.verdict == .provenPinned)
    #expect(verdict.strength == .s2c)
}

@Test("a control of one run says nothing about another run's CA")
func controlsStayInTheirRun() throws {
    // Run 1 has the control and one cold start, run 2 two cold starts and none.
    let first = App(visits: [.accepting("cdn.test"), .always("api.test", .alert(46))]).run(
        .test(), .set(.quick), coldStarts: 1)
    let second = App(visits: [.always("api.test", .alert(46))]).run(.test(), .set(.quick), coldStarts: 2)
    let verdict = try Judge.judge(profile: .test(), runs: [first.evidence, second.evidence]).host("api.test")
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing == [.trustControl])
    #expect(verdict.coldStarts == 3)
    // Three runs with a control each make up the cold starts together.
    let shards = Array(repeating: first.evidence, count: 3)
    #expect(try Judge.judge(profile: .test(), runs: shards).host("api.test").verdict == .provenPinned)
}

// The lent key.

private let lent: [HostName: LentMaterial] = ["api.test": LentMaterial(backupKey: "k")]

/// Pins the key, and answers everything else with the same alert.
private let keyPinned = App(visits: [
    App.Visit(host: "api.test") { attack, _ in [attack == "lent-key" ? .request(96) : .alert(46)] }
])

private func withLentKey(_ change: (inout Edited) -> Void = { _ in }) throws -> HostVerdict {
    let profile = Profile.test(controls: [], lent: lent)
    var run = Edited(keyPinned, profile, .set(.quick), coldStarts: 2)
    #expect(run.numbers("lent-key").count == 1)
    change(&run)
    return try run.verdict(profile)
}

@Test("S3: the same CA and name with the pinned key carried data, so the key made the difference")
func lentKeyTaken() throws {
    let verdict = try withLentKey()
    #expect(verdict.verdict == .provenPinned, "\(verdict.why)")
    #expect(verdict.strength == .s3)
    #expect(verdict.why.contains("the lent key"))
    // It is the best of all controls.
    let both = App(visits: [.accepting("cdn.test")] + keyPinned.visits)
    #expect(try both.judge(.test(lent: lent), .set(.quick)).host("api.test").strength == .s3)
}

@Test("anything less than data under the lent key, on the stack that refuses, is no S3")
func lentKeyNotTaken() throws {
    func lacks(_ change: @escaping (inout Observation) -> Void, _ location: SourceLocation = #_sourceLocation) throws {
        let verdict = try withLentKey { $0.edit("api.test", in: $0.numbers("lent-key"), change) }
        #expect(verdict.verdict == .refusedUnproven, sourceLocation: location)
        #expect(verdict.missing == [.trustControl], sourceLocation: location)
    }
    try lacks { $0.hello?.stack = "webview" }
    try lacks { $0.prefaceOnly = true }
    try lacks { $0.hello?.sni = "else.test" }
    for act in [Act.alert(46), .post(), .early, .idle] { try lacks { $0 = .like($0, act) } }
    let resumed = try withLentKey { $0.edit("api.test", in: $0.numbers("lent-key"), { $0 = .like($0, .resumed(9)) }) }
    #expect(resumed.verdict == .refusedUnproven && resumed.strength == nil)
}

@Test("a refused lent key is no failure: the next best control counts, and the refusal can be named")
func lentKeyRefused() throws {
    let profile = Profile.test(lent: lent)
    let app = App(visits: [.accepting("cdn.test"), .always("api.test", .alert(46))])
    let run = app.run(profile, .set(.quick))
    #expect(try Judge.judge(profile: profile, runs: [run.evidence]).host("api.test").strength == .s2a)
    let file = CaseFile(profile: profile, runs: [run.evidence])
    let review = Review(file, "api.test", expect: .refuse)
    #expect(TrustControls(file: file, review: review, twins: []).lentKeyRefusals.count == 1)
}

@Test("a lent key of one run says nothing about another run")
func lentKeyStaysInItsRun() throws {
    let profile = Profile.test(controls: [], lent: lent)
    let with = keyPinned.run(profile, .set(.quick), coldStarts: 1).evidence
    let without = keyPinned.run(.test(controls: []), .set(.quick), coldStarts: 2).evidence
    #expect(try Judge.judge(profile: profile, runs: [with, without]).host("api.test").missing == [.trustControl])
}
