import Facts
import Policy
import Report
import Testing

@testable import Verdict

/// A run that proves with two attacks: enough here, and cheap.
private let quick = Edited(provenApp, .test(), .set(.quick))

@Suite struct CircumstancesTests {
    @Test("a control that answers by an error is the company that nobody can be rid of, and `why` names it")
    func controlAsCompany() throws {
        var run = quick
        run.edit("cdn.test", in: Array(run.trials.keys)) { seen in
            guard seen.attack != nil else { return }
            seen.status = 404
            seen.close = .init(by: .client, how: .fin, ms: 1_500)
        }
        let verdict = try run.verdict()
        #expect(verdict.missing.contains(.attackedAlone))
        #expect(verdict.seen.company == .init(kind: .controls, hosts: ["cdn.test"]))
        #expect(verdict.seen.controls == [ControlSight(control: "cdn.test", fate: .answered(404))])
        #expect(verdict.why.contains(", but it closed unused only after cdn.test had refused or was not served"))
    }

    @Test("another attacked host is company that a profile of its own gets rid of, another stack is none")
    func otherCompany() throws {
        let profile = Profile.test(refuse: ["api.test", "feed.test"])
        let app = App(visits: [.accepting("cdn.test"), .pinned("feed.test"), .pinned("api.test")])
        var run = Edited(app, profile, .set(.quick))
        let alone = run.trials.values.filter { $0.only == ["api.test"] }.map(\.trial)
        #expect(!alone.isEmpty)
        run.edit("api.test", in: alone, remove: true)
        let verdict = try run.verdict(profile)
        #expect(verdict.missing.contains(.attackedAlone))
        #expect(verdict.seen.company == .init(kind: .attacked, hosts: ["feed.test"]))
    }

    @Test("a host that came in some starts only is counted, unless another one may have ended the journey")
    func contacts() throws {
        var run = quick
        #expect(try run.verdict().seen.contacts == nil)
        let skipped = run.trials.keys.filter { $0.isMultiple(of: 2) }
        run.edit("api.test", in: skipped, remove: true)
        let all = run.trials.count
        #expect(try run.verdict().seen.contacts == .init(starts: all - skipped.count, of: all))
        // The control's refusal explains it.
        run.edit("cdn.test", in: skipped.filter { run.trials[$0]?.attack != .passthrough }) {
            $0 = .like($0, .alert(48))
        }
        let untouched = skipped.filter { run.trials[$0]?.attack == .passthrough }
        let contacts = try run.verdict().seen.contacts
        #expect(
            contacts
                == (untouched.isEmpty
                    ? nil : .init(starts: all - skipped.count, of: all - skipped.count + untouched.count)))
    }

    @Test("where nothing was asked at all, how COMMAND ended says more, if it ended so each time")
    func silence() throws {
        func silence(_ change: (Int, inout TrialEnd) -> Void) throws -> Circumstances.Silence? {
            var run = quick
            run.records = run.records.compactMap { record in
                switch record {
                case .connection: return nil
                case .trialEnded(var end):
                    change(end.trial, &end)
                    return .trialEnded(end)
                default: return record
                }
            }
            let verdict = try run.verdict()
            #expect(verdict.verdict == .notExercised)
            return verdict.seen.silence
        }
        #expect(try silence { $1.exit = 127 } == .init(exit: 127))
        #expect(try silence { $1.exit = 0 } == .init(exit: 0))
        #expect(try silence { ($1.exit, $1.signal) = (nil, 9) } == .init(signal: 9))
        #expect(try silence { ($1.exit, $1.timedOut) = (nil, true) } == .init(timedOut: true))
        #expect(try silence { $1.exit = $0 } == nil)
        // Nobody ran a COMMAND.
        #expect(try silence { $1.exit = nil } == nil)
        // Something was asked of somebody.
        var run = quick
        run.edit("api.test", in: Array(run.trials.keys), remove: true)
        #expect(try run.verdict().seen.silence == nil)
    }
}
