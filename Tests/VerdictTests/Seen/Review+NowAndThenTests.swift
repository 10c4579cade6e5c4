import Facts
import Policy
import Report
import Testing

@testable import Verdict

/// A pinned client with a second connection in some of its starts.
private func app(_ acts: [Act] = [.alert(46)], opens: @escaping @Sendable (AttackID, Int) -> Int) -> App {
    var visit = App.Visit.always("api.test")
    visit.under = { _, _ in acts }
    visit.opens = opens
    return App(visits: [.accepting("cdn.test"), visit])
}

@Test("a connection that only some starts have, and no attacked one, is in the way of a proof", arguments: [1, 3])
func neverMet(coldStarts: Int) throws {
    let app = app { attack, nth in attack == .passthrough && nth == 1 ? 2 : 1 }
    let run = app.run(.test(), coldStarts: coldStarts)
    #expect(run.trials.count { $0.variant?.name == "second" } == 2 * coldStarts)
    let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
    #expect(verdict.verdict == .refusedUnproven && verdict.missing == [.attack("later-connection")])
    let unmet = try #require(verdict.seen.unmet)
    #expect(unmet.place == 2 && unmet.used == 1 && unmet.tried == 2 * coldStarts)
    #expect(verdict.why.contains("connection number 2 was used in 1 of \(unmet.of) untouched runs"), "\(verdict.why)")
    #expect(verdict.why.contains("did not come in \(2 * coldStarts) runs that were to attack it"), "\(verdict.why)")
    // Somebody chose to leave it out.
    #expect(try app.judge(.test(), .set(.quick), coldStarts: coldStarts).host("api.test").verdict == .provenPinned)
}

@Test("as many connections that were open at once, as they are untouched, and each said no are all there can be")
func metBeside() throws {
    func verdict(together phases: [AttackID]) throws -> HostVerdict {
        var visit = App.Visit.always("api.test")
        visit.under = { attack, _ in [Act](repeating: .alert(46), count: attack == .trustedCA ? 2 : 1) }
        visit.opens = { attack, nth in attack == .passthrough && nth == 1 ? 2 : 1 }
        var run = Edited(App(visits: [.accepting("cdn.test"), visit]), coldStarts: 2)
        run.edit("api.test", in: phases.flatMap(run.numbers)) { $0.at = ($0.at / 100).rounded(.down) * 100 }
        return try run.verdict()
    }
    #expect(try verdict(together: [.trustedCA, .passthrough]).verdict == .provenPinned)
    // Untouched they come one after the other: those that were refused at once may be others.
    #expect(try verdict(together: [.trustedCA]).missing == [.attack("later-connection")])
    #expect(try verdict(together: [.passthrough]).missing == [.attack("later-connection")])
}

@Test("it is waited for, and then proven or refuted like any other", arguments: [1, 3])
func metAtLast(coldStarts: Int) throws {
    let opens: @Sendable (AttackID, Int) -> Int = { attack, nth in
        attack == .passthrough && nth == 1 || attack == "later-connection" && nth == 2 * coldStarts ? 2 : 1
    }
    #expect(try app(opens: opens).judge(.test(), coldStarts: coldStarts).host("api.test").verdict == .provenPinned)
    var open = App.Visit.always("api.test")
    open.under = { attack, _ in attack == "later-connection" ? [.request(90)] : [.alert(46)] }
    open.opens = opens
    let fell = App(visits: [.accepting("cdn.test"), open])
    #expect(try fell.judge(.test(), coldStarts: coldStarts).host("api.test").verdict == .notPinned)
}

@Test("one that comes each time untouched is waited for as well")
func awayOnce() throws {
    let app = app { attack, nth in attack == "later-connection" && nth == 1 ? 1 : 2 }
    #expect(try app.judge(.test(), coldStarts: 2).host("api.test").verdict == .provenPinned)
}

@Test("a second try of what failed, the first that is used, and a spare one are no connections of their own")
func notOnItsOwn() throws {
    func verdict(_ change: (inout Observation, Int) -> Void) throws -> HostVerdict {
        var run = Edited(app { attack, nth in attack == .passthrough && nth == 1 ? 2 : 1 }, coldStarts: 2)
        var places: [Int: Int] = [:]
        run.edit("api.test", in: run.numbers(.passthrough)) { seen in
            places[seen.trial, default: 0] += 1
            change(&seen, places[seen.trial, default: 0])
        }
        return try run.verdict()
    }
    #expect(try verdict { _, _ in }.missing == [.attack("later-connection")])
    let first = Edited(app { _, _ in 1 }, coldStarts: 2).numbers(.passthrough)[0]
    func fails(_ how: (inout Observation) -> Void) throws -> HostVerdict {
        try verdict { seen, place in
            guard seen.trial == first, place == 1 else { return }
            seen.passthroughData = false
            how(&seen)
        }
    }
    // It failed, or was opened ahead and not used: the second is the first.
    #expect(try fails { $0.upstream = .init(error: "gone") }.verdict == .provenPinned)
    #expect(try fails { _ in }.verdict == .provenPinned)
    #expect(try verdict { seen, place in if place == 2 { seen.passthroughData = false } }.verdict == .provenPinned)
}

@Test("behind one that failed there is no place to go by")
func behindAFailure() throws {
    func uses(_ trials: [String]...) -> Int {
        let keys = trials.indices.map { TrialKey(run: 0, number: $0 + 1) }
        let seen = zip(keys, trials).flatMap { key, kinds in
            kinds.enumerated().map { index, kind in
                var seen = Script.tunnelled("api.test", data: kind == "used")
                seen.at = Double(100 * key.number + index)
                if kind == "failed" { seen.serverAnswered = false }
                if kind == "left" {
                    seen.clientAsked = true
                    seen.close = .init(by: .origin, how: .fin, ms: 7)
                }
                return Sighting(
                    trial: key, line: 1, host: "api.test", observed: Observed(seen), attack: nil, variant: nil)
            }
        }
        let untouched = keys.map {
            Review.Untouched(trial: $0, wasAttempted: true, hasFailed: false, stacks: ["openssl"], carriedData: true)
        }
        return LaterConnections(seen, in: untouched).furtherUses(2...Int.max, by: "openssl")
    }
    // A server that answers otherwise, and one that never does.
    #expect(uses(["left", "used"], ["used"]) == 0)
    #expect(uses(["left", "used", "used"], ["used"]) == 1)
    #expect(uses(["left", "used"], ["left"]) == 1)
    for kinds in [["used", "used"], ["used", "spare", "used"], ["used", "used", "failed"]] { #expect(uses(kinds) == 1) }
    // One failure is one second try.
    for kinds in [["failed", "used", "used"], ["used", "failed", "used", "used"]] { #expect(uses(kinds) == 1) }
    for kinds in [["used", "failed", "used"], ["spare", "used"], ["used", "spare"]] { #expect(uses(kinds) == 0) }
}

@Test("beyond the fourth one is waited for as well", arguments: [true, false])
func fifthNowAndThen(comes: Bool) throws {
    let app = app { attack, nth in
        attack == .passthrough && nth == 1 || comes && attack == "later-connection" && nth == 2 ? 5 : 4
    }
    let verdict = try app.judge(.test(), coldStarts: 1).host("api.test")
    #expect(verdict.verdict == (comes ? .provenPinned : .refusedUnproven), "\(verdict.why)")
    let unmet = verdict.seen.unmet
    #expect(comes ? unmet == nil : unmet?.place == 5 && unmet?.tried == 2, "\(verdict.why)")
}

@Test("one that another stack uses, which nobody answers, has to be refused by that stack")
func fifthOfAnotherStack() throws {
    var run = Edited(app { _, _ in 5 }, coldStarts: 2)
    #expect(try run.verdict().verdict == .provenPinned)
    var places: [Int: Int] = [:]
    run.edit("api.test", in: run.numbers(.passthrough)) { seen in
        places[seen.trial, default: 0] += 1
        guard places[seen.trial] == 5 else { return }
        seen.hello?.stack = "other"
        seen.passthroughData = false
        seen.clientAsked = true
    }
    #expect(try run.verdict().missing.contains(.attack("later-connection")))
}
