import Facts
import Policy
import Testing

@testable import Verdict

// Apps whose starts are not all alike, though nothing failed: a host is visited in most of them, a control is met by chance.

@Suite struct StartsThatVaryTests {
    @Test("a host that an attacked start did not come to is tried again", arguments: [1, 3])
    func hostIsAway(coldStarts: Int) throws {
        var visit = App.Visit.pinned("api.test")
        let under = visit.under
        let away: Set<AttackID> = [.trustedCA, .untrustedCA, "wrong-key", "expired"]
        visit.under = { attack, nth in nth == 1 && away.contains(attack) ? nil : under(attack, nth) }
        let app = App(visits: [.accepting("cdn.test"), visit])
        #expect(try app.judge(.test(), coldStarts: coldStarts).host("api.test").verdict == .provenPinned)
    }

    @Test("one that stays away under one attack is waited for so long, and no longer", arguments: [1, 3])
    func hostStaysAway(coldStarts: Int) throws {
        var visit = App.Visit.pinned("api.test")
        let under = visit.under
        visit.under = { attack, nth in attack == "wrong-key" ? nil : under(attack, nth) }
        let app = App(visits: [.accepting("cdn.test"), visit])
        let run = app.run(.test(), coldStarts: coldStarts)
        #expect(run.trials.count { $0.id == "wrong-key" && $0.variant?.name == nil } == max(2, coldStarts))
        let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
        #expect(verdict.verdict == .refusedUnproven && verdict.missing == [.attack("wrong-key")])
    }

    @Test("what falls for an attack only when it comes at last has fallen for it")
    func fallsLater() throws {
        var visit = App.Visit.pinned("api.test")
        let under = visit.under
        visit.under = { attack, nth in
            attack == "wrong-key" ? nth == 1 ? nil : [.request(96)] : under(attack, nth)
        }
        let app = App(visits: [.accepting("cdn.test"), visit])
        #expect(try app.judge(.test(), coldStarts: 1).host("api.test").verdict == .notPinned)
    }

    @Test("a control that one of the cold starts did not visit is made up for by another", arguments: [1, 3])
    func controlIsAway(coldStarts: Int) throws {
        var control = App.Visit.accepting("cdn.test")
        let under = control.under
        control.under = { attack, nth in attack == .trustedCA && nth == 1 ? nil : under(attack, nth) }
        let app = App(visits: [control, .pinned("api.test")])
        let verdict = try app.judge(.test(), coldStarts: coldStarts).host("api.test")
        // With one cold start alone there is none that had a control, and nothing to go by.
        #expect(verdict.verdict == (coldStarts == 1 ? .refusedUnproven : .provenPinned), "\(verdict.missing)")
    }

    @Test("a control that hardly ever comes is not waited for without end")
    func controlIsRare() throws {
        var control = App.Visit.accepting("cdn.test")
        let under = control.under
        control.under = { attack, nth in attack == .trustedCA && nth > 1 ? nil : under(attack, nth) }
        let run = App(visits: [control, .pinned("api.test")]).run(.test(), coldStarts: 3)
        #expect(run.trials.count { $0.isColdStart } == 6)
        let verdict = try Judge.judge(profile: .test(), runs: [run.evidence]).host("api.test")
        #expect(verdict.missing == [.trustControl])
    }
}
