import Facts
import Policy
import Support
import Testing

@testable import Verdict

private func outline(
    _ profile: Profile = .test(), _ selection: AttackSelection = .set(.standard), coldStarts: Int = 1
) -> Outline {
    Scheduler(profile: profile, attacks: selection.attacks, coldStarts: coldStarts, named: selection.named).outline
}

@Test("one host, once: what needs an occasion is told, and eight are for further connections")
func standardOnce() {
    let outline = outline()
    #expect(outline.steps.count == 31)
    #expect(outline.steps.first?.trial == .passthrough && outline.steps.last?.trial == .passthrough)
    #expect(
        outline.steps.filter { $0.condition != nil }.map { "\($0.trial.id)/\($0.trial.variant?.name ?? "")" } == [
            "trusted-ca/first-only", "trusted-ca/second-start", "trusted-ca/after-refusal", "wrong-key/tls-1.2",
            "later-connection/second", "later-connection/second-only", "later-connection/third",
            "later-connection/fourth", "later-connection/first-cloned", "later-connection/second-only-cloned",
            "later-connection/third-cloned", "later-connection/fourth-cloned",
            "later-connection/second-start", "later-connection/after-cut", "resumed-session/",
            "resumed-session/tls-1.2",
        ])
    #expect(outline.atLeast == 15)
    // Each of the nine that are for a connection by its place may have to be waited for once, and the first passthrough
    // run again.
    #expect(outline.atMost == 51)
}

@Test("what may follow when all else was refused is named")
func reserve() {
    #expect(
        outline().inReserve == [
            "trusted-ca/older", "trusted-ca/host-only", "trusted-ca/others-unreachable",
            "trusted-ca/others-answer-404", "trusted-ca/coalesced", "cloned-identity/namesakes",
        ])
    #expect(outline(.test(), .set(.all)).inReserve.isEmpty)
    #expect(outline(.test(), .set(.quick)).inReserve.isEmpty)
}

@Test("what was lent comes on top, and what is asked for by name comes in any case")
func lentAndNamed() {
    let lent: [HostName: LentMaterial] = ["api.test": LentMaterial(backupKey: "k", sameCAChain: "s")]
    #expect(outline(.test(lent: lent)).atMost == 51)
    let named = outline(.test(), .list(["later-connection", "resumed-session"]))
    // A third connection that is never opened cannot be attacked.
    #expect(named.steps.allSatisfy { $0.condition == nil || $0.trial.isOfOneConnection || $0.trial.continuesState })
}

@Test("no run is shorter or longer than its outline says", arguments: seeds(ofAll: 30))
func holds(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let profile = Bool.random(using: &random) ? Profile.test() : .test(refuse: ["api.test", "feed.test"])
    let coldStarts = Int.random(in: 1...3, using: &random)
    let selection: AttackSelection = Bool.random(using: &random) ? .set(.standard) : .set(.quick)
    let app = App.random(["api.test", "feed.test", "cdn.test"], &random)
    let outline = outline(profile, selection, coldStarts: coldStarts)
    let count = app.run(profile, selection, coldStarts: coldStarts).trials.count
    #expect(outline.atLeast <= count && count <= outline.atMost)
}

@Test("nobody knows how many hosts a wildcard stands for: the bound is the run's own")
func wildcard() {
    let outline = outline(.test(refuse: ["*.test"]))
    #expect(outline.atMost == outline.steps.count + Scheduler.followUpLimit + 1)
}
