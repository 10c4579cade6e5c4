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
    let spared = Set(run.trials.values.filter { $0.sparedFirst > 0 }.map(\.trial))
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
    let expired = run.trials.values.filter { $0.attack == "expired" }
    let (plain, spared) = (expired.filter { $0.sparedFirst == 0 }, expired.filter { $0.sparedFirst > 0 })
    run.edit("api.test", in: plain.map(\.trial), remove: true)
    let trial = try #require(spared.first).trial
    let index = try #require(
        run.records.lastIndex { if case .connection(let seen) = $0 { seen.trial == trial } else { false } })
    var spare = Script.intercepted("api.test", "expired", .post())
    (spare.trial, spare.at, spare.connection) = (trial, (expired.map(\.at).max() ?? 0) + 9, 9_999)
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
