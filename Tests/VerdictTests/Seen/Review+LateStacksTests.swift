import Facts
import Policy
import Report
import Testing

@testable import Verdict

/// An app that signs in by one library, and then downloads by another.
private func app(_ second: App.Visit, controls: [String] = ["openssl", "curl"]) -> App {
    var second = second
    second.after = "api.test"
    return App(visits: controls.map { .accepting("cdn.test", stack: $0) } + [.pinned("api.test"), second])
}

private let pinned = App.Visit.pinned("api.test", stack: "curl")

@Test(
    "a stack that comes only after another one's data is attacked with that one left alone, and so proven",
    arguments: [1, 3],
    [AttackSelection.set(.quick), .set(.standard), .set(.all), .list(["expired", "later-connection"])])
func lateStack(coldStarts: Int, selection: AttackSelection) throws {
    for refusing in [pinned, .pinned("api.test", stack: "curl", trusted: [.alert(46)])] {
        let run = app(refusing).run(.test(), selection, coldStarts: coldStarts)
        let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
        #expect(verdict.verdict == .provenPinned, "\(verdict.missingNames)")
        #expect(verdict.strength == .s2a)
        #expect(run.trials.contains { $0.sparedFirst == 1 && $0.id == .untrustedCA })
        // Whoever refused in the place of it is met once more in no trial.
        #expect(run.trials.filter(\.isColdStart).count == coldStarts)
    }
}

@Test("unpinned, or open to one attack alone, it is a witness")
func lateStackWithoutPin() throws {
    let open = try app(.accepting("api.test", stack: "curl")).judge(.test(), coldStarts: 1).host("api.test")
    #expect(open.verdict == .notPinned && open.subtype == .bypass)
    let quick = app(.accepting("api.test", stack: "curl")).judge(.test(), .set(.quick), coldStarts: 1)
    #expect(try quick.host("api.test").verdict == .notPinned)
    var expired = pinned
    let usual = pinned.under
    expired.under = { attack, nth in attack == "expired" ? [.request(90)] : usual(attack, nth) }
    let fell = try app(expired).judge(.test(), coldStarts: 1).host("api.test")
    #expect(fell.verdict == .notPinned && fell.subtype == .brokenTLS)
}

@Test("it needs a control of its own, and its closed connections are no refusals where it may have had no use for them")
func lateStackDoubts() throws {
    let uncontrolled = try app(pinned, controls: ["openssl"]).judge(.test(), coldStarts: 1).host("api.test")
    #expect(uncontrolled.verdict == .refusedUnproven && uncontrolled.missing == [.trustControl])
    // In one untouched trial it was a spare one.
    var run = Edited(app(pinned), coldStarts: 2)
    #expect(try run.verdict().verdict == .provenPinned)
    run.edit("api.test", in: [run.numbers(.passthrough)[0]]) { seen in
        if seen.hello?.stack == "curl" { seen.passthroughData = false }
    }
    #expect(try run.verdict().verdict == .refusedUnproven)
}

@Test("without the trials that leave the first connections alone nothing is shown of it")
func lateStackNotMet() throws {
    var run = Edited(app(pinned), coldStarts: 1)
    let spared = Set(run.spared.keys)
    #expect(!spared.isEmpty)
    run.edit("api.test", in: Array(spared), remove: true)
    let verdict = try run.verdict()
    #expect(verdict.verdict == .refusedUnproven && verdict.missing.contains(.attack("expired")))
}

@Test("a stack that untouched ever comes first is no late one")
func earlyStack() throws {
    var run = Edited(app(pinned), coldStarts: 2)
    var first: Set<Int> = []
    run.edit("api.test", in: [run.numbers(.passthrough)[0]]) { seen in
        guard first.insert(seen.trial).inserted else { return }
        seen.hello?.stack = "curl"
    }
    let verdict = try run.verdict()
    #expect(verdict.verdict == .refusedUnproven && verdict.missing.contains(.attack(.trustedCA)))
}

@Test("where an early stack's first connection is left alone, its spare second one is no refusal")
func spareBesideLateStack() throws {
    var early = App.Visit.pinned("api.test")
    early.under = { _, _ in [.post()] }
    var late = pinned
    late.after = "api.test"
    let controls = ["openssl", "curl"].map { App.Visit.accepting("cdn.test", stack: $0) }
    var run = Edited(App(visits: controls + [early, late]), coldStarts: 1)
    #expect(try run.verdict().verdict == .provenPinned)
    // The attack never met the early stack where it was meant to, and a connection that nobody used is all there is.
    let (plain, spared) = (
        run.trials.values.filter { $0.attack == "expired" }, run.spared.values.filter { $0.attack == "expired" }
    )
    run.edit("api.test", in: plain.map(\.trial), remove: true)
    let trial = try #require(spared.first).trial
    let index = try #require(
        run.records.lastIndex { if let seen = $0.observation { seen.trial == trial } else { false } })
    var spare = Script.intercepted("api.test", "expired", .post())
    (spare.trial, spare.at, spare.connection) = (trial, ((plain + spared).map(\.at).max() ?? 0) + 9, 9_999)
    run.records.insert(.connection(spare), at: index + 1)
    let verdict = try run.verdict()
    #expect(verdict.verdict == .refusedUnproven && verdict.missing.contains(.attack("expired")))
}

@Test("of two late stacks each is met behind those before it, whatever the number of cold starts", arguments: [1, 2])
func twoLateStacks(coldStarts: Int) throws {
    var (second, third) = (pinned, App.Visit.pinned("api.test", stack: "java"))
    second.after = "api.test"
    third.after = "api.test"
    let controls = ["openssl", "curl", "java"].map { App.Visit.accepting("cdn.test", stack: $0) }
    let app = App(visits: controls + [.pinned("api.test"), second, third])
    let run = app.run(.test(), .set(.quick), coldStarts: coldStarts)
    let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
    #expect(verdict.verdict == .provenPinned, "\(verdict.missingNames)")
    #expect(Set(run.trials.map(\.sparedFirst)) == [0, 1, 2])
}

@Test("the controls that a proof names are those of late stacks too")
func controlsOfLateStacks() throws {
    var second = pinned
    second.after = "api.test"
    let app = App(
        visits: [.accepting("cdn.test"), .accepting("files.test", stack: "curl"), .pinned("api.test"), second])
    var profile = Profile.test()
    profile.controls += [HostPattern(exactly: "files.test")]
    let verdict = try app.judge(profile, .set(.quick), coldStarts: 1).host("api.test")
    #expect(verdict.verdict == .provenPinned && verdict.why.contains("files.test"), "\(verdict.why)")
    #expect(try verdict.finding("other-explanations").text.contains("files.test"))
}

@Test("a late stack behind another number of connections each time is met all the same", arguments: [1, 2, 3])
func lateStackBehindAnyNumber(coldStarts: Int) throws {
    var (first, second) = (App.Visit.pinned("api.test"), pinned)
    second.after = "api.test"
    first.opens = { attack, nth in attack == .passthrough && nth == 1 ? 2 : 1 }
    let controls = ["openssl", "curl"].map { App.Visit.accepting("cdn.test", stack: $0) }
    let run = App(visits: controls + [first, second]).run(.test(), .set(.quick), coldStarts: coldStarts)
    let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
    #expect(verdict.verdict == .provenPinned, "\(verdict.missingNames)")
    #expect(Set(run.trials.map(\.sparedFirst)).contains(1))
    second.under = { _, _ in [.request(90)] }
    let open = App(visits: controls + [first, second]).judge(.test(), .set(.quick), coldStarts: coldStarts)
    #expect(try open.host("api.test").verdict == .notPinned)
}

@Test("one that comes in some starts, and never when it is to be attacked, is in a proof's way", arguments: [1, 3])
func lateStackNowAndThen(coldStarts: Int) throws {
    var second = pinned
    second.untouched = { $0 == 1 ? true : nil }
    second.under = { _, _ in nil }
    let run = app(second).run(.test(), coldStarts: coldStarts)
    let spared = run.trials.filter { $0.sparedFirst > 0 }
    #expect(spared.count == 2 * coldStarts && spared.allSatisfy { $0.id == .trustedCA })
    let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
    #expect(verdict.verdict == .refusedUnproven && verdict.missing.contains(.attack(.trustedCA)))
    let unmet = try #require(verdict.seen.unmetStack)
    #expect(unmet.used == 1 && unmet.tried == 2 * coldStarts)
    #expect(verdict.why.contains("came in 1 of \(unmet.of) untouched runs"), "\(verdict.why)")
    // It comes at the last try, and says no: what is closed unused may be a spare one where it is not always used.
    second.under = { attack, nth in attack != .trustedCA || nth == 2 * coldStarts ? [.alert(46)] : nil }
    let met = try app(second).judge(.test(), .set(.quick), coldStarts: coldStarts).host("api.test")
    #expect(met.verdict == .provenPinned, "\(met.missingNames)")
}

@Test("a late stack without a control is shown the lent key, behind those that are left alone", arguments: [1, 2])
func lateStackUnderTheLentKey(coldStarts: Int) throws {
    func visit(_ stack: String, takesKey: Bool = true) -> App.Visit {
        var visit = App.Visit.always("api.test", stack: stack)
        visit.under = { attack, _ in [attack == "lent-key" && takesKey ? .request(90) : .alert(46)] }
        return visit
    }
    let profile = Profile.test(lent: ["api.test": LentMaterial(backupKey: "k")])
    // The first stack pins a whole certificate, and has a control; the late one has none.
    func run(takesKey: Bool) -> (evidence: RunEvidence, trials: [Trial]) {
        var second = visit("curl", takesKey: takesKey)
        second.after = "api.test"
        return App(visits: [.accepting("cdn.test"), visit("openssl", takesKey: false), second]).run(
            profile, .set(.quick), coldStarts: coldStarts)
    }
    let proven = run(takesKey: true)
    let verdict = try Judge.judge(profile: profile, runs: [proven.evidence]).host("api.test")
    #expect(verdict.verdict == .provenPinned && verdict.strength == .s2a, "\(verdict.missingNames)")
    #expect(proven.trials.count { $0.id == "lent-key" && $0.sparedFirst == 1 } == 1)
    let refused = run(takesKey: false)
    let open = try Judge.judge(profile: profile, runs: [refused.evidence]).host("api.test")
    #expect(open.verdict == .refusedUnproven && open.missing.contains(.trustControl), "\(open.missingNames)")
    #expect(refused.trials.count { $0.id == "lent-key" && $0.sparedFirst == 1 } == coldStarts)
}
