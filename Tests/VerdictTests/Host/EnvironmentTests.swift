import Facts
import Policy
import Report
import Testing

@testable import Verdict

private let control = App.Visit.accepting("cdn.test")

private func judge(_ visit: App.Visit, profile: Profile = .test()) throws -> HostVerdict {
    try App(visits: [control, visit]).judge(profile).host("api.test")
}

private func failing(_ failing: Set<Int>) -> App.Visit {
    var visit = App.Visit.pinned("api.test")
    visit.untouched = { !failing.contains($0) }
    return visit
}

@Test("pins that the origin does not carry: somebody is in the middle already, or the profile is wrong")
func foreignChain() throws {
    let wrong = try judge(.pinned("api.test"), profile: .test(pins: [Script.otherPin]))
    #expect(wrong.verdict == .invalidEnvironment)
    #expect(wrong.why.contains("none of the pinned keys"))
    let backup = try judge(.pinned("api.test"), profile: .test(pins: [Script.otherPin, Script.genuinePin]))
    #expect(backup.verdict == .provenPinned)
}

private func seen(
    _ spki: [String], verified: Bool = true, _ anchor: OriginSeen.Anchor? = .public, issuer: String = "CN=Issuer"
) -> OriginSeen {
    OriginSeen(
        host: "api.test", verified: verified,
        certificates: [
            CertificateFacts(
                subject: "CN=api.test", issuer: issuer, notAfter: "2027-01-01T00:00:00Z",
                sha256: String(repeating: "0", count: 64), spkiSHA256: String(repeating: "1", count: 64))
        ], spki: spki, anchor: anchor)
}

@Test(
    "a server without any of the pinned keys is told of before the first start, and why it may have none",
    arguments: [
        (OriginSeen.Anchor?.some(.public), "CN=Issuer", ForeignChain.Cause.deadPins, "the pins are dead"),
        (.profile, "CN=Issuer", .deadPins, "the pins are dead"),
        (.added, "CN=Issuer", .interceptor(nil), "another interceptor is on the way"),
        (nil, "CN=Issuer", .interceptor(nil), "another interceptor is on the way"),
        (.added, "CN=Zscaler Root CA,O=Zscaler Inc.", .interceptor("Zscaler"), "Zscaler intercepts"),
    ])
func originSeen(
    _ anchor: OriginSeen.Anchor?, _ issuer: String, _ cause: ForeignChain.Cause, _ words: String
) throws {
    let profile = Profile.test(pins: [Script.otherPin])
    let origin = seen([Script.genuinePin.base64], verified: anchor != nil, anchor, issuer: issuer)
    let evidence = RunEvidence(Script().evidence.records.map(\.record) + [.origin(origin)])
    var scheduler = Scheduler(profile: profile, attacks: [], coldStarts: 1, terms: Terms(keepsGoing: false))
    #expect(scheduler.next(evidence: evidence) == nil)
    #expect(scheduler.early == EarlyEnd(.originUnusable, hosts: [origin.host]))
    let verdict = try Judge.judge(profile: profile, runs: [evidence]).host("api.test")
    guard case .environment(.foreignChain(let chain)) = verdict.reason else {
        Issue.record("\(verdict.why)")
        return
    }
    #expect(chain.cause == cause && verdict.verdict == .invalidEnvironment)
    #expect(verdict.why.contains(words))
    #expect(verdict.why.contains("presented: CN=api.test (sha256/ERERER"))
    #expect(verdict.why.contains("until 2027-01-01) under \(issuer)"))
    #expect(verdict.why.contains("pinned: \(Script.otherPin)"))
}

@Test("a server with one of the pinned keys anywhere up to its root is in nobody's way")
func originFits() throws {
    let profile = Profile.test(pins: [Script.otherPin])
    let origin = seen([Script.genuinePin.base64, Script.otherPin.base64])
    var scheduler = Scheduler(profile: profile, attacks: [], coldStarts: 1, terms: Terms(keepsGoing: false))
    #expect(scheduler.next(evidence: RunEvidence([.origin(origin)])) == .passthrough)
}

@Test("a client that met a pinned key outweighs another server of the same name that the gate met")
func originOutweighed() throws {
    let origin = seen([Script.otherPin.base64])
    let profile = Profile.test(pins: [Script.genuinePin])
    let played = App(visits: [control, .pinned("api.test")]).run(profile).evidence.records.map(\.record)
    let verdict = try Judge.judge(profile: profile, runs: [RunEvidence(played + [.origin(origin)])]).host("api.test")
    #expect(verdict.verdict == .provenPinned)
}

@Test("data under attack is a witness even where the pins do not fit")
func foreignChainWitness() throws {
    #expect(try judge(.accepting("api.test"), profile: .test(pins: [Script.otherPin])).verdict == .notPinned)
}

@Test("broken untouched, at first, at last or always")
func broken() throws {
    #expect(try judge(failing(Set(1...9))).why.contains("broken even untouched"))
    #expect(try judge(failing([1, 2])).verdict == .invalidEnvironment)
    #expect(try judge(failing([4])).verdict == .invalidEnvironment)
    // In between it is an outage, and what was refused around it is merely unproven.
    #expect(try judge(failing([2])).missing == [.passthroughBetween])
}

@Test("a first passthrough that failed is run again, once, before anything is attacked", arguments: [1, 3])
func coldMachine(coldStarts: Int) throws {
    let warm = App(visits: [control, failing([])]).run(.test(), coldStarts: coldStarts).trials
    for fails in [[1], [1, 2]] as [Set<Int>] {
        let run = App(visits: [control, failing(fails)]).run(.test(), coldStarts: coldStarts)
        #expect(run.trials.starts(with: [.passthrough, .passthrough, .coldStart]))
        let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
        #expect(verdict.verdict == (fails == [1] ? .provenPinned : .invalidEnvironment), "\(verdict.why)")
        if fails == [1] { #expect(run.trials.count == warm.count + 1) }
    }
    // Without it what was refused before the host was seen to work counts for nothing.
    var late = Edited(coldStarts: 2)
    late.edit("api.test", in: [late.numbers(.passthrough)[0]], { $0.passthroughData = false })
    #expect(try late.verdict().verdict == .invalidEnvironment)
}

@Test("an origin that cannot be used is named as the cause")
func noOrigin() throws {
    let verdict = try judge(.always("api.test", .noOrigin("connection refused")))
    #expect(verdict.verdict == .invalidEnvironment)
    #expect(verdict.why == "the origin could not be used: connection refused")
}

/// One attacked connection that ended before its handshake did, edited.
private func judgeEarlyEnd(_ edit: (inout Observation) -> Void) throws -> HostVerdict {
    var script = Script(coldStarts: 1, attacks: [])
    script.start(.passthrough)
    script.tunnel("api.test")
    script.end()
    script.start(.trustedCA)
    var seen = Script.intercepted("api.test", .trustedCA, .early)
    edit(&seen)
    script.add(seen)
    script.end()
    script.finish()
    return try Judge.judge(profile: .test(), runs: [script.evidence]).host("api.test")
}

@Test("an origin that does not verify asks for its root")
func unverified() throws {
    let verdict = try judgeEarlyEnd { $0.upstream?.verified = false }
    #expect(verdict.verdict == .invalidEnvironment)
    #expect(verdict.why.contains("upstream.roots"))
}

@Test(
    "where an origin's dates are what is wrong, this machine's clock is named, and no root asked for",
    arguments: ["certificate is not yet valid", "certificate has expired"])
func clockIsWrong(reason: String) throws {
    let verdict = try judgeEarlyEnd {
        $0.upstream?.verified = false
        $0.upstream?.error = "its certificate does not verify: \(reason)"
    }
    #expect(verdict.verdict == .invalidEnvironment)
    #expect(verdict.why.contains("this machine's clock") && !verdict.why.contains("upstream.roots"), "\(verdict.why)")
}

@Test("where an origin's certificate is for another name no root is asked for")
func otherName() throws {
    let verdict = try judgeEarlyEnd {
        $0.upstream?.verified = false
        $0.upstream?.error = "its certificate does not verify: hostname mismatch"
    }
    #expect(verdict.verdict == .invalidEnvironment)
    #expect(verdict.why.contains("`resolve`") && !verdict.why.contains("upstream.roots"), "\(verdict.why)")
}

@Test(
    "an origin that cannot be used is the cause also where its host missed the plain starts under trusted-ca, unless it works untouched",
    arguments: [false, true])
func noOriginElsewhere(works: Bool) throws {
    var script = Script(coldStarts: 1, attacks: ["wrong-key"])
    script.start(.passthrough)
    script.tunnel("api.test", data: works)
    script.end()
    script.start(.trustedCA)
    script.end()
    script.start("wrong-key")
    script.attack("api.test", "wrong-key", .noOrigin("its certificate does not verify: hostname mismatch"))
    script.end()
    script.finish()
    let verdict = try Judge.judge(profile: .test(), runs: [script.evidence]).host("api.test")
    #expect(verdict.verdict == (works ? .notExercised : .invalidEnvironment), "\(verdict.why)")
    if !works { #expect(verdict.why.contains("hostname mismatch"), "\(verdict.why)") }
}

@Test("one origin that failed among starts that were over at once says nothing of the environment")
func oneFailure() throws {
    var script = Script(coldStarts: 1, attacks: ["wrong-key", "expired"])
    script.start(.passthrough)
    script.tunnel("api.test", data: false)
    script.end()
    script.start("wrong-key")
    script.attack("api.test", "wrong-key", .noOrigin("timed out"))
    script.end()
    script.start("expired")
    script.attack("api.test", "expired", .early)
    script.end()
    script.finish()
    let verdict = try Judge.judge(profile: .test(), runs: [script.evidence]).host("api.test")
    #expect(verdict.verdict == .notExercised, "\(verdict.why)")
}

@Test("an origin that failed in every attacked start of one run is a fault, also where another run shows it at work")
func otherRun() throws {
    func run(works: Bool) -> RunEvidence {
        var script = Script(coldStarts: 1, attacks: ["wrong-key"])
        script.start(.passthrough)
        script.tunnel("api.test", data: works)
        script.end()
        if !works {
            script.start("wrong-key")
            script.attack("api.test", "wrong-key", .noOrigin("timed out"))
            script.end()
        }
        script.finish()
        return script.evidence
    }
    let verdict = try Judge.judge(profile: .test(), runs: [run(works: true), run(works: false)]).host("api.test")
    #expect(verdict.verdict == .invalidEnvironment, "\(verdict.why)")
}

@Test("an app that left each time after the server had answered is told from a server's alert")
func answered() throws {
    func isAnswered(_ change: (inout Observation) -> Void) throws -> Bool? {
        var script = Script(coldStarts: 1, attacks: [])
        script.start(.passthrough)
        var seen = Script.tunnelled("api.test", data: false)
        change(&seen)
        script.add(seen)
        script.end()
        script.finish()
        let verdict = try Judge.judge(profile: .test(), runs: [script.evidence]).host("api.test")
        guard case .environment(.brokenUntouched(nil, let isAnswered)) = verdict.reason else { return nil }
        return isAnswered
    }
    #expect(try isAnswered { _ in } == true)
    #expect(try isAnswered { $0.serverAnswered = false } == false)
    #expect(try isAnswered { $0.close = .init(by: .origin, how: .fin, ms: 40) } == false)
}

@Test("nothing but negotiation failures is a fault of the environment")
func negotiation() throws {
    let verdict = try judge(.always("api.test", .negotiation(70), .negotiation(40)))
    #expect(verdict.verdict == .invalidEnvironment)
    #expect(verdict.why.contains("handshake_failure, protocol_version"))
    // A refusal beside it makes the rest a retry.
    #expect(try judge(.always("api.test", .negotiation(70), .alert(46))).verdict == .provenPinned)
}

@Test("a fault of the proxy on every connection is told")
func proxyFault() throws {
    let verdict = try judgeEarlyEnd { $0.error = "too many open files" }
    #expect(verdict.verdict == .invalidEnvironment)
    #expect(verdict.why.contains("too many open files"))
}

@Test("a socket opened and never used untouched is no failure")
func unusedTunnel() throws {
    var script = Script()
    script.start(.passthrough)
    var seen = Observation(via: .connect)
    seen.host = "api.test"
    seen.action = .tunnelled
    script.add(seen)
    script.end()
    script.finish()
    #expect(try Judge.judge(profile: .test(), runs: [script.evidence]).host("api.test").verdict == .notExercised)
}

@Test("a tunnel that the gate ended while the client had still not asked is no broken environment")
func cutShort() throws {
    func judged(_ change: (inout Observation) -> Void) throws -> HostVerdict {
        let app = App(visits: [.accepting("cdn.test"), failing(Set(1...9))])
        let records = app.run(.test()).evidence.records.map(\.record).map { record -> EvidenceRecord in
            guard var seen = record.observation, seen.host == "api.test", seen.action == .tunnelled else {
                return record
            }
            seen.close = .init(by: .gate, how: .aborted, ms: 10_000)
            change(&seen)
            return .connection(seen)
        }
        return try Judge.judge(profile: .test(), runs: [RunEvidence(records)]).host("api.test")
    }
    let slow = try judged { _ in }
    #expect(slow.verdict == .notExercised)
    #expect(slow.why.contains("no genuine traffic"))
    // An origin that never answers is broken, and so is a client that has said no.
    #expect(try judged { $0.serverAnswered = false }.verdict == .invalidEnvironment)
    #expect(
        try judged { $0.alerts = [Alert(from: .client, level: 2, code: 42, epoch: .plaintext, ms: 20)] }.verdict
            == .invalidEnvironment)
}
