import Facts
import Policy
import Testing

@testable import Verdict

/// A pinned app that makes one connection after the other; what it does on the second one under an attack.
private func app(connections: Int = 2, behind: (@Sendable (AttackID) -> [Act])? = nil) -> App {
    var visit = App.Visit.pinned("api.test")
    visit.connections = connections
    visit.behind = behind
    return App(visits: [.accepting("cdn.test"), visit])
}

private func shownBehind(_ app: App, _ selection: AttackSelection = .set(.standard)) -> Set<AttackID> {
    Set(app.run(.test(), selection).trials.filter { $0.sparedFirst == 1 }.map(\.id))
}

@Test("what comes behind another connection is shown every attack, and what comes alone, or in a quick run, is not")
func attacksBehindAnother() {
    let shown = shownBehind(app())
    #expect(
        shown.isSuperset(of: [
            "untrusted-ca", "wrong-key", "smuggled-chain", "cloned-identity", "other-host", "self-signed", "expired",
            "not-yet-valid", "silent-server",
        ]))
    // What the first one refuses at once is no session; behind it there may be one.
    #expect(shown.contains("resumed-session") && !shown.contains("later-connection"))
    #expect(shownBehind(app(connections: 1)).isEmpty)
    #expect(shownBehind(app(), .set(.quick)).isEmpty)
}

@Test("a client that is sound on both of its connections is proven")
func soundBehindAnother() throws {
    #expect(try app().judge(.test()).host("api.test").verdict == .provenPinned)
    #expect(try app(connections: 4).judge(.test(), coldStarts: 1).host("api.test").verdict == .provenPinned)
    let resetting: [Act] = [.silent(.rst)]
    var visit = App.Visit.pinned("api.test", trusted: resetting, untrusted: resetting)
    visit.connections = 2
    let silent = App(visits: [.accepting("cdn.test"), visit])
    let verdict = try silent.judge(.test(), .list([.trustedCA, "smuggled-chain", "later-connection"])).host("api.test")
    #expect(verdict.verdict == .provenPinned, "\(verdict.missingNames)")
}

@Test(
    "a weak pin behind a sound one is found",
    arguments: ["smuggled-chain", "cloned-identity", "expired", "self-signed", "silent-server"] as [AttackID])
func weakBehindAnother(attack: AttackID) throws {
    let weak = app(behind: { named in
        named.rawValue.hasPrefix(attack.rawValue) ? [.request(96)] : [.alert(46)]
    })
    #expect(try weak.judge(.test()).host("api.test").verdict == .notPinned)
}

@Test("an attack that was not shown behind another connection is in the way of a proof")
func missingBehindAnother() throws {
    let evidence = app().run(.test(), followUps: 0).evidence
    let verdict = try Judge.judge(profile: .test(), runs: [evidence]).host("api.test")
    #expect(verdict.verdict == .refusedUnproven)
    #expect(Set(verdict.missingNames).isSuperset(of: ["attack:smuggled-chain", "attack:expired", "attack:wrong-key"]))
}
