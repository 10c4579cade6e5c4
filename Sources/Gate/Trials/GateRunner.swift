import Console
import Evidence
import Facts
import Loop
import Policy
import TLS
import Verdict

/// Runs a gate's trials one after the other, and writes header, self-test, trials and end.
package struct GateRunner: Sendable {
    /// The two clocks, so that tests need not wait for either.
    package struct Clock: Sendable {
        /// Unix seconds.
        package var wall: @Sendable () -> Double
        /// Seconds since some fixed point.
        package var steady: @Sendable () -> Double

        package init(wall: @escaping @Sendable () -> Double, steady: @escaping @Sendable () -> Double) {
            self.wall = wall
            self.steady = steady
        }

        package static let system = Clock(wall: { WallClock.now }, steady: { MonotonicClock.now })
    }

    package typealias SelfTest = @Sendable () async -> SelfTestResult
    /// Who answers for pinned hosts, asked before the first trial.
    package typealias Origins = @Sendable () async -> OriginAnswers

    package let profile: Profile
    package let proxy: any ProxyControl
    package let router: ObservationRouter
    package let evidence: EvidenceWriter
    package let driver: any TrialDriver
    package let scheduler: any TrialScheduling
    package let selfTest: SelfTest
    package let progress: ProgressLine
    package let interruption: Interruption
    package let clock: Clock
    /// nil: nobody looks beside the proxy.
    package let watch: (any NetworkWatching)?
    /// Keeps a chain that is about to be presented.
    package let chains: @Sendable (PresentedChain) -> Void
    /// What the first start shows that somebody should know while the others are run: a line each.
    package let remarks: @Sendable ([EvidenceRecord]) -> [String]
    package let origins: Origins

    package init(
        profile: Profile, proxy: any ProxyControl, router: ObservationRouter, evidence: EvidenceWriter,
        driver: any TrialDriver, scheduler: any TrialScheduling, selfTest: @escaping SelfTest,
        progress: ProgressLine, interruption: Interruption, clock: Clock = .system,
        watch: (any NetworkWatching)? = nil,
        chains: @escaping @Sendable (PresentedChain) -> Void = { _ in },
        remarks: @escaping @Sendable ([EvidenceRecord]) -> [String] = { _ in [] },
        origins: @escaping Origins = { OriginAnswers() }
    ) {
        self.origins = origins
        self.remarks = remarks
        self.chains = chains
        self.watch = watch
        self.profile = profile
        self.proxy = proxy
        self.router = router
        self.evidence = evidence
        self.driver = driver
        self.scheduler = scheduler
        self.selfTest = selfTest
        self.progress = progress
        self.interruption = interruption
        self.clock = clock
    }

    /// Twenty-nine cold starts of every attack on a hundred hosts stay below; a scheduler that finds no end must not.
    package static let trialLimit = 30_000

    /// Returns how the run ended, which is also the evidence's last line.
    package func run(_ header: RunHeader) async -> RunEnd {
        let started = clock.steady()
        evidence.append(.header(header))
        let tested = await selfTest()
        evidence.append(.selfTest(tested))
        var fault = tested.passed ? nil : Self.words(tested)
        var ending = RunEnding()
        if fault == nil {
            await askOrigins()
            let evidence = self.evidence
            let chains = self.chains
            router.route(
                to: ObservationRouter.Sink(
                    observed: { evidence.append(.connection($0)) }, presented: { chains($0) }))
            await watch?.begin()
            let ticking = tick()
            (fault, ending) = await runTrials()
            ticking.cancel()
            router.route(to: .none)
            progress.cleared()
        }
        var end = RunEnd(
            interrupted: await interruption.isRequested, fault: fault ?? evidence.fault, early: ending.early,
            leftOut: ending.leftOut, seconds: clock.steady() - started, at: clock.wall())
        evidence.append(.runEnded(end))
        evidence.close()
        end.fault = end.fault ?? evidence.fault
        return end
    }

    /// Does not outlast an interruption: servers that swallow packets answer late, or never.
    private func askOrigins() async {
        let (first, come) = AsyncStream<OriginAnswers?>.makeStream()
        let (origins, interruption) = (self.origins, self.interruption)
        let asking = Task { come.yield(await origins()) }
        let interrupted = Task {
            await interruption.wait()
            come.yield(nil)
        }
        defer {
            asking.cancel()
            interrupted.cancel()
        }
        progress.waits("asks the servers of pinned hosts for their chains")
        for await answers in first {
            guard let answers else { return }
            for seen in answers.seen { evidence.append(.origin(seen)) }
            for host in answers.silent {
                progress.warned(
                    "\(host) did not answer in time before the first start; it is judged as the app meets it")
            }
            return
        }
    }

    /// Returns why the trials had to stop, nil when they did not; and what they left of the plan.
    private func runTrials() async -> (fault: String?, ending: RunEnding) {
        var scheduler = self.scheduler
        var number = 0
        var hasRemarked = false
        while await !interruption.isRequested {
            evidence.check()
            if let fault = evidence.fault { return (fault, scheduler.ending) }
            let next = scheduler.next(after: evidence.records)
            if number > 0 { glance(at: number, before: next, scheduler.ending) }
            guard let scheduled = next else { break }
            // A first start that is run again may only have met a bad moment.
            if number > 0, scheduled.retryOf == nil, !hasRemarked {
                for line in remarks(evidence.records) { progress.warned(line) }
                hasRemarked = true
            }
            number += 1
            guard number <= Self.trialLimit else {
                return ("more than \(Self.trialLimit) trials were asked for", scheduler.ending)
            }
            do {
                try await run(NumberedTrial(scheduled, number: number, profile: profile), scheduled.phase)
            } catch {
                return ("\(error)", scheduler.ending)
            }
        }
        return (nil, scheduler.ending)
    }

    private func run(_ trial: NumberedTrial, _ phase: Plan.Phase) async throws {
        do {
            try await proxy.apply(Plan(profile: profile, phase: phase, trial: trial.number))
        } catch {
            throw GateError.planNotApplied(trial: trial.number, reason: "\(error)")
        }
        evidence.append(
            .trialStarted(
                TrialStart(
                    trial: trial.number, attack: trial.attack, variant: trial.variant, only: trial.only,
                    sparedFirst: trial.sparedFirst, retryOf: trial.retryOf, at: clock.wall())))
        let started = clock.steady()
        progress.began(trial.step, at: started)
        var ending = CommandEnding()
        let connections = Connections(proxy: proxy, interruption: interruption)
        var failure: (any Error)?
        do {
            ending = try await driver.drive(trial, connections: connections)
        } catch {
            // No line of evidence may come after the trial's end, whatever went wrong in it.
            await connections.cut()
            failure = error
        }
        // The proxy's connections are over, so all of its own are known by now.
        for record in await watch?.collect(trial: trial.number) ?? [] { evidence.append(record) }
        // An interruption while connections settled cut this trial short as well.
        if await interruption.isRequested { ending.interrupted = true }
        let now = clock.steady()
        progress.ended(ending.words, at: now)
        evidence.append(
            .trialEnded(
                TrialEnd(
                    trial: trial.number, exit: ending.exit, signal: ending.signal, timedOut: ending.timedOut,
                    interrupted: ending.interrupted || failure != nil, leftState: ending.leftState,
                    stateFault: ending.stateFault, lastError: ending.lastError, seconds: now - started, at: clock.wall()
                )))
        if let failure { throw failure }
    }

    /// Tells what came of a trial, and whether it goes on: `api.test refused, cdn.test accepted: go on`.
    private func glance(at trial: Int, before next: ScheduledTrial?, _ ending: RunEnding) {
        let outlook =
            if next?.retryOf != nil { ": once more" } else if next != nil { ": go on" } else {
                ending.early == nil ? "" : ": it ends here"
            }
        progress.glanced(isWanted: driver.isWatched) {
            TrialGlance(RunEvidence(evidence.records), profile: profile, trial: trial).text + outlook
        }
    }

    /// Redraws the progress line every second.
    private func tick() -> Task<Void, Never> {
        let (progress, clock) = (progress, clock)
        return Task {
            while (try? await Task.sleep(for: .seconds(1))) != nil { progress.draw(at: clock.steady()) }
        }
    }

    private static func words(_ result: SelfTestResult) -> String {
        let problems = result.problems.isEmpty ? ["no reason given"] : result.problems
        return "self-test failed: " + problems.joined(separator: "; ")
    }
}
