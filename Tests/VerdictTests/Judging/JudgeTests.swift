import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func verdict(_ word: VerdictWord, required: Bool = true) -> HostVerdict {
    HostVerdict(host: "h", rule: "h", expect: .refuse, required: required, verdict: word, reason: .withdrawn(""))
}

@Test("the result is the first that matches: fault, witness, invalid, unproven, pass")
func results() {
    func result(_ hosts: [HostVerdict], complete: Bool = true, fault: String? = nil) -> Judgement.Result {
        Judge.result(of: hosts, isComplete: complete, fault: fault)
    }
    #expect(result([verdict(.notPinned)], fault: "self-test") == .invalid)
    #expect(result([verdict(.invalidEnvironment), verdict(.notPinned, required: false)]) == .fail)
    #expect(result([verdict(.invalidEnvironment), verdict(.refused, required: false)]) == .fail)
    #expect(result([verdict(.invalidEnvironment), verdict(.refusedUnproven)]) == .invalid)
    for word in [VerdictWord.refusedUnproven, .notExercised] {
        #expect(result([verdict(word), verdict(.provenPinned)]) == .inconclusive)
        #expect(result([verdict(word, required: false), verdict(.provenPinned)]) == .pass)
    }
    #expect(result([verdict(.invalidEnvironment, required: false), verdict(.accepted)]) == .pass)
    for word in [VerdictWord.provenPinned, .accepted, .tunnelled] { #expect(result([verdict(word)]) == .pass) }
    #expect(result([verdict(.provenPinned)], complete: false) == .inconclusive)
    #expect(result([verdict(.notPinned)], complete: false) == .fail)
}

@Test("nothing seen is never a pass, not even where nothing is required")
func silence() {
    #expect(Judge.result(of: [], isComplete: true, fault: nil) == .inconclusive)
    #expect(Judge.result(of: [verdict(.notExercised, required: false)], isComplete: true, fault: nil) == .inconclusive)
    let optional = Profile.test(optional: ["api.test"])
    #expect(App(visits: []).judge(optional).result == .inconclusive)
    #expect(App(visits: []).judge(Profile(name: "empty")).result == .inconclusive)
}

@Test("the exit statuses are the documented ones")
func exitStatuses() {
    #expect([Judgement.Result.pass, .fail, .inconclusive, .invalid].map(\.exitStatus) == [0, 1, 2, 3])
}

@Test("a gate that failed its self-test gives no verdict, not even an obvious one")
func faults() throws {
    let app = App(visits: [.accepting("cdn.test"), .accepting("api.test")])
    let whole = app.run(.test()).evidence.records.map(\.record)
    func judge(_ records: [EvidenceRecord]) -> Judgement { Judge.judge(profile: .test(), runs: [RunEvidence(records)]) }
    #expect(judge(whole).result == .fail)

    let untested = judge(whole.filter { $0.kind != "self-test" })
    let headless = judge(whole.filter { $0.kind != "header" })
    let failed = judge(
        whole + [.selfTest(SelfTestResult(passed: false, problems: ["the pinned client sent data"], ms: 1))])
    let fault = judge(
        whole.dropLast() + [.runEnded(RunEnd(interrupted: false, fault: "the CA is gone", seconds: 1, at: 1))])
    for judgement in [untested, headless, failed, fault] {
        #expect(judgement.result == .invalid)
        #expect(judgement.fault != nil)
        #expect(judgement.hosts.map(\.verdict) == [.invalidEnvironment])
        #expect(judgement.hosts.first?.why == judgement.fault)
        #expect(judgement.hosts.first?.attacks.isEmpty == false)
    }
    #expect(failed.fault == "the self-test failed: the pinned client sent data")
    #expect(fault.fault == "the CA is gone")
    #expect(Judge.judge(profile: .test(), runs: []).fault == "there is no evidence")
}

@Test("one faulty run among several spoils them, and is named")
func faultyShard() {
    let whole = App(visits: [.accepting("cdn.test"), .pinned("api.test")]).run(.test()).evidence
    let judgement = Judge.judge(profile: .test(), runs: [whole, RunEvidence([])])
    #expect(judgement.fault?.hasPrefix("run 2: ") == true)
    #expect(judgement.result == .invalid)
}

@Test("every host seen under a wildcard has a verdict of its own; a wildcard nobody met has one too")
func wildcards() throws {
    let profile = Profile.test(
        refuse: ["*.api.test", "**.api.test", "a.api.test"], accept: ["*.cdn.test"], controls: ["cdn.test"])
    let app = App(visits: [
        .accepting("cdn.test"), .pinned("a.api.test"),
        .pinned("b.api.test", trusted: [.alert(46)], untrusted: [.alert(46)]),
        .accepting("x.y.api.test"),
    ])
    let judgement = app.judge(profile)
    #expect(
        judgement.hosts.map { "\($0.host) \($0.rule ?? "-") \($0.verdict.rawValue)" } == [
            "b.api.test *.api.test proven-pinned", "x.y.api.test **.api.test not-pinned",
            "a.api.test a.api.test proven-pinned",
            "*.cdn.test *.cdn.test not-exercised",
        ])
    #expect(judgement.result == .fail)
}

@Test("others: accept judges undeclared hosts, never as required; report finds them; tunnel notes them")
func others() throws {
    let app = App(visits: [
        .accepting("cdn.test"), .pinned("api.test"), .accepting("else.test"), .always("odd.test", .idle),
    ])
    let accept = app.judge(.test(others: .accept))
    #expect(accept.hosts.map(\.host) == ["api.test", "else.test", "odd.test"])
    let other = try accept.host("else.test")
    #expect(other.rule == nil && other.expect == .accept && !other.required && other.verdict == .accepted)
    #expect(try accept.host("odd.test").verdict == .notExercised)

    let report = app.judge(.test(others: .report))
    #expect(report.hosts.map(\.host) == ["api.test"])
    #expect(report.findings.map(\.id) == ["undeclared-host", "undeclared-host"])
    #expect(report.findings.first?.text.contains("else.test") == true)
    #expect(report.findings.first?.evidence.isEmpty == false)
    #expect(report.result == .pass)

    let tunnel = app.judge(.test()).findings
    #expect(tunnel.map(\.id) == ["undeclared-host"])
    #expect(tunnel.map(\.severity) == [.note])
    #expect(tunnel.first?.text.contains("else.test, odd.test") == true)
}

@Test("the self-test's connections, and those of no trial, are nobody's evidence")
func trialZero() throws {
    var script = Script()
    var seen = Script.intercepted("api.test", .trustedCA, .request(100))
    script.add(seen)
    seen.host = nil
    script.start(.trustedCA)
    script.add(seen)
    script.end()
    script.finish()
    #expect(try Judge.judge(profile: .test(), runs: [script.evidence]).host("api.test").verdict == .notExercised)
}

@Test("tallies count connections, outcomes, alerts, bytes and lines by attack")
func tallies() throws {
    let evidence = App(visits: [.accepting("cdn.test"), .pinned("api.test")]).run(.test(), coldStarts: 2).evidence
    let verdict = try Judge.judge(profile: .test(), runs: [evidence]).host("api.test")
    let conditional: Set<AttackID> = ["lent-key", "later-connection"]
    let tried = AttackSelection.set(.standard).attacks.map(\.id).filter { !conditional.contains($0) }
    #expect(verdict.attacks.map(\.attack) == [.passthrough] + tried)
    let trusted = try #require(verdict.attacks.first { $0.attack == .trustedCA })
    // Two cold starts, the older handshake, this host alone, with the others cut off, with nothing to get from them, and
    // with a shared certificate there.
    #expect(trusted.connections == 7)
    #expect(trusted.outcomes == [.post: 7])
    #expect(trusted.alerts.isEmpty)
    for line in trusted.evidence {
        guard let seen = evidence.records[line - 1].record.observation else {
            Issue.record("line \(line) is no connection")
            continue
        }
        #expect(seen.host == "api.test" && seen.attack == .trustedCA)
    }
    let untouched = try #require(verdict.attacks.first)
    #expect(untouched.outcomes.isEmpty && untouched.connections == 3 && untouched.bytesUp == 1800)
}

@Test("the runs as a whole: interrupted, merged, of several CAs, made with another profile")
func runFindings() {
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test")])
    let evidence = app.run(.test()).evidence
    let cut = RunEvidence(records: Array(evidence.records.dropLast()))
    #expect(Judge.judge(profile: .test(), runs: [cut]).findings.map(\.id) == ["interrupted"])
    #expect(Judge.judge(profile: .test(), runs: [evidence], profileSHA256: "p1").findings.isEmpty)
    #expect(
        Judge.judge(profile: .test(), runs: [evidence], profileSHA256: "p2").findings.map(\.id) == ["profile-changed"])
    var stricter = Profile.test()
    (stricter.attacks, stricter.coldStarts) = (.set(.all), 50)
    let asked = Judge.judge(profile: stricter, runs: [evidence], profileSHA256: "p2").findings
    #expect(asked.map(\.severity) == [.note, .warning] && Set(asked.map(\.id)) == ["profile-changed"])
    #expect(asked.last?.text.contains("more than these runs have tried: ") == true)
    #expect(asked.last?.text.contains("50 cold starts") == true && asked.last?.text.contains("other-host") == false)
    let merged = Judge.judge(profile: .test(), runs: [evidence, Script(ca: "bb").evidence])
    #expect(Set(merged.findings.map(\.id)) == ["different-ca", "merged-runs", "interrupted"])
}

@Test("a witness in one shard outvotes the proof of another")
func shards() throws {
    let proof = App(visits: [.accepting("cdn.test"), .pinned("api.test")]).run(.test()).evidence
    let witness = App(visits: [.accepting("api.test")]).run(.test()).evidence
    for runs in [[proof, witness], [witness, proof]] {
        #expect(Judge.judge(profile: .test(), runs: runs).result == .fail)
    }
    // Trial 2 of one run is not trial 2 of another.
    let canary = App(visits: [.accepting("cdn.test")]).run(.test()).evidence
    let bare = App(visits: [.always("api.test", .alert(46))]).run(.test()).evidence
    #expect(try Judge.judge(profile: .test(), runs: [canary, bare]).host("api.test").missing == [.trustControl])
}

@Test("judging the same evidence twice, or in pieces of another order, gives the same answer")
func deterministic() {
    let evidence = App(visits: [.accepting("cdn.test"), .pinned("api.test"), .accepting("feed.test")]).run(
        .test(others: .accept)
    ).evidence
    let first = Judge.judge(profile: .test(others: .accept), runs: [evidence])
    #expect(first == Judge.judge(profile: .test(others: .accept), runs: [evidence]))
}

@Test("a run that a person went through is told from one of COMMAND, and several are by hand only if all of them are")
func byHand() throws {
    func run(_ options: [String: String]) -> RunEvidence {
        var script = Script(options: options)
        script.finish()
        return script.evidence
    }
    let (hand, command) = (run(["phase_seconds": "default"]), run(["command": "./app.sh"]))
    func isByHand(_ runs: [RunEvidence]) throws -> Bool {
        try Judge.judge(profile: .test(), runs: runs).host("api.test").seen.isByHand
    }
    #expect(try isByHand([hand]) && isByHand([hand, hand]))
    #expect(try !isByHand([command]) && !isByHand([hand, command]) && !isByHand([run([:])]))
}
