import Facts
import Policy
import Support
import Testing

@testable import Verdict

/// Plays an app whose starts may come to nothing, by the number of the start.
private struct Unsteady {
    var app = App(visits: [.accepting("cdn.test"), .pinned("api.test")])
    var profile = Profile.test()
    var selection = AttackSelection.set(.standard)
    var coldStarts = 1
    var terms = Terms(retries: 2)
    /// What the start does instead of what the app does; nil: the app.
    var instead: @Sendable (Start) -> Nothing?

    /// One start of COMMAND.
    struct Start {
        /// From 1.
        var number: Int
        var trial: Trial
        /// How often this trial has been begun, from 1.
        var attempt: Int
    }

    /// How a start comes to nothing.
    enum Nothing {
        /// COMMAND fails before it has asked for anything.
        case failed
        /// Nobody came, though COMMAND is content.
        case absent
        /// It comes to the host and is gone before it has shown anything.
        case gone
    }

    struct Run {
        var evidence: RunEvidence
        var trials: [(trial: Trial, isRetry: Bool)]
        var scheduler: Scheduler
        var verdict: HostVerdict
        var judgement: Judgement
    }

    func run() throws -> Run {
        let attacks = selection.attacks
        var script = Script(
            coldStarts: coldStarts, attacks: attacks.map(\.id),
            variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(
            profile: profile, attacks: attacks, coldStarts: coldStarts, named: selection.named, terms: terms)
        var trials: [(trial: Trial, isRetry: Bool)] = []
        while let trial = scheduler.next(evidence: script.evidence) {
            let before = script.trial
            trials.append((trial, scheduler.isRetry))
            script.start(trial, retryOf: scheduler.isRetry ? before : nil)
            let attempt = trials.count { $0.trial == trial }
            switch instead(Start(number: trials.count, trial: trial, attempt: attempt)) {
            case .failed: script.end(exit: 1)
            case .absent: script.end()
            case .gone:
                if let attack = trial.attack {
                    script.attack("api.test", attack.id, variant: trial.variant?.name, .early)
                } else {
                    script.tunnel("api.test", data: false)
                }
                script.end(exit: 9)
            case nil:
                let nth = trials.count { $0.trial == trial && !$0.isRetry }
                script.end(exit: app.play(trial, profile, &script, nth) ? 1 : 0)
            }
        }
        script.finish(early: scheduler.early, leftOut: scheduler.leftOut)
        let judgement = Judge.judge(profile: profile, runs: [script.evidence])
        return Run(
            evidence: script.evidence, trials: trials, scheduler: scheduler, verdict: try judgement.host("api.test"),
            judgement: judgement)
    }
}

@Suite struct RetryTests {
    @Test("one start that comes to nothing is run again, wherever it is, and changes no verdict", arguments: [1, 3])
    func oneOfAll(coldStarts: Int) throws {
        let steady = try Unsteady(coldStarts: coldStarts) { _ in nil }.run()
        #expect(steady.verdict.verdict == .provenPinned)
        for place in 1...steady.trials.count {
            // Where what the app fetches elsewhere is not there, it may leave because of that.
            let hasReason = steady.trials[place - 1].trial.variant?.conduct.failsOthers ?? false
            for nothing in [Unsteady.Nothing.failed, .absent, .gone] where !hasReason || nothing != .gone {
                let run = try Unsteady(coldStarts: coldStarts) { $0.number == place ? nothing : nil }.run()
                #expect(run.verdict.verdict == .provenPinned, "\(place) \(nothing): \(run.verdict.missing)")
                #expect(run.trials.count == steady.trials.count + 1, "\(place) \(nothing)")
                #expect(run.trials.map(\.isRetry).firstIndex(of: true) == place, "\(place) \(nothing)")
                #expect(run.judgement.retried.map(\.trial) == [place])
                #expect(run.judgement.findings.map(\.id) == ["retried-starts"])
            }
        }
    }

    @Test("a retry stands in for the start that it repeats, not for the next one of the plan")
    func repeats() throws {
        let run = try Unsteady(selection: .set(.quick)) { [2, 3].contains($0.number) ? .failed : nil }.run()
        #expect(
            run.trials.map(\.trial.id) == [
                .passthrough, .trustedCA, .trustedCA, .trustedCA, .untrustedCA, .passthrough,
            ])
        #expect(run.trials.map(\.isRetry) == [false, false, true, true, false, false])
        #expect(run.verdict.verdict == .provenPinned)
    }

    @Test("with --retries 0 nothing is run again")
    func none() throws {
        let run = try Unsteady(terms: Terms()) { $0.number == 5 ? .failed : nil }.run()
        #expect(run.trials.allSatisfy { !$0.isRetry })
    }

    @Test("an app that fails under attack alone is not retried into a proof, and ends soon", arguments: [1, 3])
    func underAttackAlone(coldStarts: Int) throws {
        for nothing in [Unsteady.Nothing.failed, .absent, .gone] {
            let run = try Unsteady(coldStarts: coldStarts) { $0.trial == .passthrough ? nil : nothing }.run()
            #expect(run.trials.count <= 60, "\(run.trials.count)")
            #expect(run.verdict.verdict != .provenPinned)
            #expect(run.judgement.result != .pass)
        }
    }

    @Test(
        "one that fails at two of three tries under each attack, and never untouched, is no flaky one",
        arguments: [1, 3])
    func mostlyUnderAttack(coldStarts: Int) throws {
        var terms = Terms(retries: 2)
        terms.keepsGoing = true
        let run = try Unsteady(coldStarts: coldStarts, terms: terms) { start in
            start.trial == .passthrough || start.attempt.isMultiple(of: 3) ? nil : .failed
        }.run()
        #expect(run.trials.count <= 60, "\(run.trials.count)")
        #expect(run.verdict.verdict == .refusedUnproven)
        // Two untouched starts are too few to tell, and the retries that are allowed do not get it through either.
        guard coldStarts > 1 else { return }
        #expect(run.verdict.missing.contains(.steadyStarts), "\(run.verdict.missing)")
        #expect(run.judgement.findings.map(\.id).contains("fails-under-attack"))
    }

    @Test("data in a start that is run again is a witness as any other", arguments: [1, 3])
    func witnessAmongRetried(coldStarts: Int) throws {
        var fickle = App.Visit.pinned("api.test")
        let under = fickle.under
        fickle.under = { attack, nth in attack == "expired" ? [.request(96)] : under(attack, nth) }
        let run = try Unsteady(
            app: App(visits: [.accepting("cdn.test"), fickle]), coldStarts: coldStarts
        ) { $0.number.isMultiple(of: 5) ? .failed : nil }.run()
        #expect(run.verdict.verdict == .notPinned)
    }

    @Test("an outage in an untouched start stays in the way of a proof, though COMMAND failed and the next one worked")
    func outage() throws {
        let steady = try Unsteady(coldStarts: 3) { _ in nil }.run()
        let between = try #require(
            steady.trials.indices.dropFirst().first { steady.trials[$0].trial == .passthrough })
        let broken = try Unsteady(coldStarts: 3) { $0.number == between + 1 ? .gone : nil }.run()
        #expect(broken.verdict.verdict == .provenPinned)
        // The same, but nobody at the other end had answered.
        let records = broken.evidence.records.map { numbered in
            guard var seen = numbered.record.observation, seen.trial == between + 1 else { return numbered }
            seen.serverAnswered = false
            seen.bytesDown = 0
            return NumberedRecord(line: numbered.line, .connection(seen))
        }
        let verdict = try Judge.judge(profile: .test(), runs: [RunEvidence(records: records)]).host("api.test")
        #expect(verdict.verdict == .refusedUnproven && verdict.missing == [.passthroughBetween])
    }

    @Test("with starts that fail by chance nearly all gates end as without", arguments: [1, 3])
    func flakiness(coldStarts: Int) throws {
        var proven = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            let run = try Unsteady(coldStarts: coldStarts) { start in
                var random = SeededGenerator(seed: seed * 1000 + UInt64(start.number))
                guard Int.random(in: 0..<10, using: &random) == 0 else { return nil }
                return [Unsteady.Nothing.failed, .absent, .gone].randomElement(using: &random)
            }.run()
            if run.verdict.verdict == .provenPinned { proven += 1 }
        }
        #expect(proven >= 38, "\(proven) of 40")
    }

    @Test("a start that goes on from an earlier one may have nothing to ask for, and is not waited for")
    func goesOn() {
        let form = Attack.trustedCA.variants.first { $0.conduct.continuesState }?.name
        #expect(form != nil)
        for (exit, isFruitless) in [(0, false), (1, true)] {
            var script = Script()
            script.start(.passthrough)
            script.tunnel("api.test")
            script.end()
            script.start(.trustedCA, variant: form)
            script.end(exit: exit)
            let file = CaseFile(profile: .test(), runs: [script.evidence])
            #expect(file.starts.fruitless.isEmpty == !isFruitless)
        }
    }

    @Test("COMMAND that always ends with 1 does not fail by that")
    func usualExit() throws {
        let run = try Unsteady { _ in nil }.run()
        let records = run.evidence.records.map { numbered in
            guard case .trialEnded(var end) = numbered.record else { return numbered }
            end.exit = 1
            return NumberedRecord(line: numbered.line, .trialEnded(end))
        }
        let file = CaseFile(profile: .test(), runs: [RunEvidence(records: records)])
        #expect(file.starts.fruitless.isEmpty)
        #expect(!file.starts.hasFailed(TrialEnd(trial: 1, exit: 1, seconds: 1, at: 1)))
        #expect(file.starts.hasFailed(TrialEnd(trial: 1, exit: 2, seconds: 1, at: 1)))
        #expect(file.starts.hasFailed(TrialEnd(trial: 1, timedOut: true, seconds: 1, at: 1)))
    }

    @Test("the chance that failures fall on attacked starts is Fisher's")
    func chance() {
        func probability(_ a: Int, _ ofA: Int, _ u: Int, _ ofU: Int) -> Double {
            Starts.Imbalance(attacked: a, ofAttacked: ofA, untouched: u, ofUntouched: ofU).probability
        }
        // Of 8 starts, 4 of them attacked, 4 fail, all of them attacked: 1 of C(8, 4).
        #expect(abs(probability(4, 4, 0, 4) - 1.0 / 70) < 1e-12)
        #expect(abs(probability(3, 4, 1, 4) - 17.0 / 70) < 1e-12)
        #expect(probability(0, 20, 0, 4) == 1)
        #expect(probability(0, 20, 3, 4) == 1)
        #expect(probability(20_000, 25_000, 0, 5_000) < 1e-9)
        #expect(probability(2, 20, 0, 4) > 0.5)
    }
}
