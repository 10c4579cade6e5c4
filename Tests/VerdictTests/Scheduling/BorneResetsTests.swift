import Facts
import Policy
import Testing

@testable import Verdict

/// A pinned client that tries so many times where each connection is reset.
private func wanted(tries: Int, _ selection: AttackSelection = .set(.all), tried: [String] = []) -> Trial? {
    var script = Script(coldStarts: 1)
    script.start(.passthrough)
    script.tunnel("api.test")
    script.end()
    script.start("cleartext-fallback", variant: "reset")
    for _ in 0..<tries { script.attack("api.test", "cleartext-fallback", variant: "reset", .early) }
    script.end()
    for name in tried {
        script.start("later-connection", variant: name)
        script.end()
    }
    let review = Review(CaseFile(profile: .test(), runs: [script.evidence]), "api.test", expect: .refuse)
    return BorneResets(review, among: selection.attacks)?.trial(only: [])
}

@Test("as many resets as the client was seen to try again after, where no form has that number, and once")
func borneResets() throws {
    let trial = try #require(wanted(tries: 6))
    #expect(trial.variant?.name == "after-5-resets" && trial.variant?.conduct.onset == .afterOutage(.reset, 5))
    #expect(trial.id == "later-connection" && trial.comesOnTop)
    #expect(wanted(tries: 3)?.variant?.name == "after-2-resets")
    for tries in [0, 1, 2, 4] { #expect(wanted(tries: tries) == nil) }
    #expect(wanted(tries: 90)?.variant?.name == "after-\(BorneResets.limit)-resets")
    #expect(wanted(tries: 6, tried: ["after-5-resets"]) == nil)
    #expect(wanted(tries: 6, .set(.standard)) == nil && wanted(tries: 6, .list(["expired"])) == nil)
}
