import Facts
import Policy
import Testing

@testable import Verdict

/// A pinned client that tries so many times where each connection meets an outage.
private func wanted(
    tries: Int, _ outage: String = "reset", _ selection: AttackSelection = .set(.all), tried: [String] = []
) -> Trial? {
    var script = Script(coldStarts: 1)
    script.start(.passthrough)
    script.tunnel("api.test")
    script.end()
    script.start("cleartext-fallback", variant: outage)
    for _ in 0..<tries { script.attack("api.test", "cleartext-fallback", variant: outage, .early) }
    script.end()
    for name in tried {
        script.start("later-connection", variant: name)
        script.end()
    }
    let review = Review(CaseFile(profile: .test(), runs: [script.evidence]), "api.test", expect: .refuse)
    return BorneOutages(review, among: selection.attacks)?.trial(only: [])
}

@Test("as many resets as the client was seen to try again after, where no form has that number, and once")
func borneResets() throws {
    let trial = try #require(wanted(tries: 6))
    #expect(trial.variant?.name == "after-5-resets" && trial.variant?.conduct.onset == .afterOutage(.reset, 5))
    #expect(trial.id == "later-connection" && trial.comesOnTop)
    #expect(wanted(tries: 3)?.variant?.name == "after-2-resets")
    for tries in [0, 1, 2, 4] { #expect(wanted(tries: tries) == nil) }
    #expect(wanted(tries: 90)?.variant?.name == "after-\(BorneOutages.limit)-resets")
    #expect(wanted(tries: 6, tried: ["after-5-resets"]) == nil)
    #expect(wanted(tries: 6, "reset", .set(.standard)) == nil && wanted(tries: 6, "reset", .list(["expired"])) == nil)
}

@Test(
    "the same for each kind of outage that has a form",
    arguments: [
        ("close", "closes", Conduct.Refusal.close), ("handshake-failure", "alerts", .handshakeFailure),
        ("timeout", "timeouts", .silence),
    ])
func borneOutages(form: String, named: String, outage: Conduct.Refusal) throws {
    let trial = try #require(wanted(tries: 4, form))
    #expect(trial.variant?.name == "after-3-\(named)" && trial.variant?.conduct.onset == .afterOutage(outage, 3))
    #expect(trial.comesOnTop)
    for tries in [0, 1, 2] { #expect(wanted(tries: tries, form) == nil) }
    #expect(wanted(tries: 4, form, tried: ["after-3-\(named)"]) == nil)
}

@Test("one of each kind at most, and none where no outage is tried")
func boundOfOutages() throws {
    #expect(BorneOutages.most(among: AttackSelection.set(.all).attacks) == 4)
    #expect(BorneOutages.most(among: AttackSelection.set(.standard).attacks) == 0)
    #expect(wanted(tries: 9, "inappropriate-fallback") == nil)
}

@Test("an app that gives up its pin after as many time-outs as it bears is found in all", arguments: [2, 3])
func pinGivenUp(tries: Int) throws {
    var attempts = App.Visit.always("api.test")
    attempts.under = { attack, _ in
        attack == "cleartext-fallback" ? [Act](repeating: .early, count: tries + 1) : [.alert(46)]
    }
    let run = App(visits: [.accepting("cdn.test"), attempts]).run(.test(), .set(.all), coldStarts: 1)
    let names = run.trials.compactMap(\.variant?.name)
    for name in ["after-\(tries)-closes", "after-\(tries)-alerts", "after-\(tries)-timeouts"] {
        #expect(names.count { $0 == name } == 1)
    }
    #expect(try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test").verdict == .provenPinned)
}
