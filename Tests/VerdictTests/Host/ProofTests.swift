import Facts
import Policy
import Report
import Testing

@testable import Verdict

// A run that proves, and then the same run with one piece of its evidence taken away: each must fall short of a
// proof, and say what it lacks.

@Test("the whole run proves, by a control in every cold start")
func wholeRunProves() throws {
    let judgement = Judge.judge(profile: .test(), runs: [RunEvidence(Edited().records)])
    let verdict = try judgement.host("api.test")
    #expect(verdict.verdict == .provenPinned)
    #expect(verdict.strength == .s2a)
    #expect(verdict.missing.isEmpty)
    #expect(verdict.coldStarts == 3)
    #expect(
        verdict.why
            == "refused trusted-ca in 3 of 3 cold starts (closed after the handshake without a byte), "
            + "while cdn.test accepted the same CA on the same stack")
    #expect(verdict.has("control-assumption") && verdict.has("attacks-tried") && verdict.has("signature-stage"))
    #expect(judgement.result == .pass)
}

@Test("without the control in one cold start that one does not count")
func noControlOnce() throws {
    var run = Edited(App(visits: [.accepting("cdn.test"), .pinned("api.test", untrusted: [.post()])]))
    run.edit("cdn.test", in: [run.numbers(.trustedCA)[1]], remove: true)
    try run.lacks(.trustControl)
}

@Test("a control on another stack is none")
func controlOnOtherStack() throws {
    var run = Edited(App(visits: [.accepting("cdn.test"), .pinned("api.test", untrusted: [.post()])]))
    run.edit("cdn.test", in: run.numbers(.trustedCA), { $0.hello?.stack = "webview" })
    try run.lacks(.trustControl)
}

@Test("a control that only sent its HTTP/2 preface may not have looked at the chain yet")
func prefaceControl() throws {
    var run = Edited(App(visits: [.accepting("cdn.test"), .pinned("api.test", untrusted: [.post()])]))
    run.edit("cdn.test", in: run.numbers(.trustedCA), { $0.prefaceOnly = true })
    let verdict = try run.verdict()
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.contains(.trustControl))
}

@Test("a control host whose SNI was another's is none")
func controlOfOtherName() throws {
    var run = Edited(App(visits: [.accepting("cdn.test"), .pinned("api.test", untrusted: [.post()])]))
    run.edit("cdn.test", in: run.numbers(.trustedCA), { $0.hello?.sni = "else.test" })
    let verdict = try run.verdict()
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.contains(.trustControl))
}

@Test("a host that no control is named for has none")
func undeclaredControl() throws {
    let run = Edited(App(visits: [.accepting("cdn.test"), .pinned("api.test", untrusted: [.post()])]))
    try run.lacks(.trustControl, profile: .test(controls: []))
}

@Test("one cold start fewer than asked for is one too few")
func coldStartMissing() throws {
    for act in [Act.early, .negotiation(70)] {
        var run = Edited()
        let number = run.numbers(.trustedCA)[2]
        run.edit("api.test", in: [number], { $0 = .like($0, act) })
        try run.lacks(.coldStarts)
    }
    var run = Edited()
    run.edit("api.test", in: [run.numbers(.trustedCA)[0]], remove: true)
    try run.lacks(.coldStarts)
}

@Test("a cold start that was interrupted or has no end is none", arguments: [true, false])
func coldStartInterrupted(hasEnd: Bool) throws {
    var run = Edited()
    let number = run.numbers(.trustedCA)[1]
    run.records = run.records.compactMap { record in
        guard case .trialEnded(var end) = record, end.trial == number else { return record }
        end.interrupted = true
        return hasEnd ? .trialEnded(end) : nil
    }
    // What a line that is missing said of its trial, nobody knows.
    if hasEnd { try run.lacks(.coldStarts) } else { try run.lacks(.coldStarts, .run) }
}

@Test("fifteen connections in one cold start are one refusal")
func retriesCountOnce() throws {
    let tries = Array(repeating: Act.alert(48), count: 15)
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test", trusted: tries, untrusted: tries)])
    var run = Edited(app)
    #expect(try run.verdict().verdict == .provenPinned)
    #expect(try run.verdict().coldStarts == 3)
    run.edit("api.test", in: Array(run.numbers(.trustedCA).dropFirst()), remove: true)
    let verdict = try run.verdict()
    #expect(verdict.coldStarts == 1)
    #expect(verdict.missing.contains(.coldStarts))
}

@Test("genuine traffic is needed before, between and after")
func brackets() throws {
    var before = Edited()
    before.edit("api.test", in: [before.numbers(.passthrough)[0]], remove: true)
    try before.lacks(.passthroughBefore)

    var between = Edited()
    between.edit("api.test", in: [between.numbers(.passthrough)[1]], { $0.passthroughData = false })
    try between.lacks(.passthroughBetween)

    var after = Edited()
    after.edit("api.test", in: [try #require(after.numbers(.passthrough).last)], remove: true)
    try after.lacks(.passthroughAfter)

    // Nobody came by: no outage is shown.
    var unvisited = Edited()
    unvisited.edit("api.test", in: [unvisited.numbers(.passthrough)[1]], remove: true)
    #expect(try unvisited.verdict().verdict == .provenPinned)
}

@Test("the last passthrough comes after the last attack of any kind, not only after trusted-ca")
func bracketAfterOtherAttacks() throws {
    var run = Edited()
    let last = try #require(run.numbers("not-yet-valid").last)
    run.edit("api.test", in: run.numbers(.passthrough).filter { $0 > last }, remove: true)
    try run.lacks(.passthroughAfter)
}

@Test(
    "a socket left open without a byte forbids the proof, under any attack",
    arguments: [
        AttackID.trustedCA, .untrustedCA, "smuggled-chain", "expired",
    ])
func idleForbids(attack: AttackID) throws {
    var run = Edited()
    guard let number = run.numbers(attack).first else { throw Failure() }
    var idle = Script.intercepted("api.test", attack, .idle)
    idle.trial = number
    idle.at = 5000
    run.records.append(.connection(idle))
    try run.lacks(.idleConnections)
}

@Test(
    "every attack of the run has to have been refused, in each of its variants",
    arguments: [
        "untrusted-ca", "wrong-key", "smuggled-chain", "other-host", "self-signed", "expired", "not-yet-valid",
    ] as [AttackID])
func attackNotTried(attack: AttackID) throws {
    let first = Edited()
    for number in first.numbers(attack) {
        var run = Edited()
        run.edit("api.test", in: [number], remove: true)
        try run.lacks(.attack(attack))
        run = Edited()
        run.edit("api.test", in: [number], { $0 = .like($0, .early) })
        try run.lacks(.attack(attack))
    }
}

@Test("an attack that the run's header names and this version does not know must have been met too")
func unknownAttack() throws {
    var run = Edited()
    run.records = run.records.map { record in
        guard case .header(var header) = record else { return record }
        header.attacks += ["quantum-oracle", "later-connection", "resumed-session"]
        return .header(header)
    }
    try run.lacks(.attack("quantum-oracle"))
}

@Test("a resumed session is no cold start")
func resumed() throws {
    for bytes in [0, 40] {
        var run = Edited()
        var seen = Script.intercepted("api.test", .trustedCA, .resumed(bytes))
        seen.trial = run.numbers(.trustedCA)[0]
        seen.at = 5000
        run.records.append(.connection(seen))
        if bytes > 0 {
            try run.lacks(.finding("session-cache-bypass"), .coldStarts)
        } else {
            try run.lacks(.coldStarts)
        }
        #expect(try run.verdict().has(bytes > 0 ? "session-cache-bypass" : "resumed-session"))
    }
}

@Test("a stack that refuses must be one that works untouched")
func sameStack() throws {
    var run = Edited()
    var other = Script.intercepted("api.test", .trustedCA, stack: "webview", .post())
    other.trial = run.numbers(.trustedCA)[0]
    other.at = 5000
    run.records.append(.connection(other))
    let verdict = try run.verdict()
    #expect(verdict.verdict == .refusedUnproven)
    // That cold start has a stack without a control now, so it does not count as controlled either.
    #expect(verdict.missing == [.trustControl, .sameStackPassthrough])

    var unknown = Edited()
    unknown.edit("api.test", in: unknown.numbers(.passthrough), { $0.hello?.stack = "" })
    #expect(try unknown.verdict().missing.contains(.sameStackPassthrough))
}

@Test("a stack that works untouched must be one that refuses: it may be the unpinned one")
func everyStackRefuses() throws {
    var run = Edited()
    var other = Script.tunnelled("api.test", stack: "webview")
    other.trial = run.numbers(.passthrough)[0]
    run.records.append(.connection(other))
    let verdict = try run.verdict()
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.first == .attack(.trustedCA))
}

@Test("two stacks prove only where each has a control of its own")
func twoStacks() throws {
    let both = App(visits: [
        .accepting("cdn.test"), .accepting("cdn.test", stack: "webview"),
        .pinned("api.test"), .pinned("api.test", stack: "webview", trusted: [.alert(46)], untrusted: [.alert(46)]),
    ])
    // One refusal comes before the other, but on the same host: neither is in company.
    #expect(try both.judge(.test()).host("api.test").strength == .s2a)
    let one = App(visits: both.visits.filter { $0.host != "cdn.test" || $0.stack == "openssl" })
    let verdict = try one.judge(.test()).host("api.test")
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing == [.trustControl])
}

@Test("a stack that only refused where it had no control is not covered by the cold starts of the others")
func uncoveredStack() throws {
    var script = Script(coldStarts: 2, attacks: [])
    func untouched() {
        script.start(.passthrough)
        for stack in ["openssl", "webview"] { script.tunnel("api.test", stack: stack) }
        script.end()
    }
    for stack in ["openssl", "openssl", "webview"] {
        untouched()
        script.start(.trustedCA)
        script.attack("cdn.test", .trustedCA, stack: "openssl", .request(9))
        script.attack("api.test", .trustedCA, stack: stack, .alert(46))
        script.end()
    }
    script.start(.untrustedCA)
    for stack in ["openssl", "webview"] { script.attack("api.test", .untrustedCA, stack: stack, .alert(46)) }
    script.end()
    untouched()
    script.finish()
    let verdict = try Judge.judge(profile: .test(), runs: [script.evidence]).host("api.test")
    #expect(verdict.missing == [.trustControl])
}

@Test("unknown stacks are not the same stack")
func unknownStacks() throws {
    var run = Edited()
    for host: HostName in ["api.test", "cdn.test"] { run.edit(host, in: Array(1...40), { $0.hello?.stack = "" }) }
    try run.lacks(.trustControl, .sameStackPassthrough)
}
