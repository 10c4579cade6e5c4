import Console
import Loop

/// Cold starts that a person makes, device in hand: by time, or by Enter at a terminal.
package struct PhaseDriver: TrialDriver {
    package enum Pace: Sendable {
        /// Each phase lasts this long.
        case seconds(Double)
        /// Until Enter; the closure returns false when there is no more input.
        case enter(@Sendable () async -> Bool)
    }

    package let pace: Pace
    package let console: Console
    package let interruption: Interruption

    package var secondsPerTrial: Double? {
        if case .seconds(let seconds) = pace { seconds } else { nil }
    }

    /// While a person is to press Enter, nothing may be drawn where the cursor waits.
    package var progressStyle: ProgressLine.Style {
        if case .seconds = pace { .countdown } else { .silent }
    }

    package var isWatched: Bool { true }

    package init(_ pace: Pace, console: Console, interruption: Interruption) {
        self.pace = pace
        self.console = console
        self.interruption = interruption
    }

    package func drive(_ trial: NumberedTrial, connections: Connections) async -> CommandEnding {
        let started = MonotonicClock.now
        var ending = CommandEnding()
        console.say(Self.prompt(trial, pace))
        switch pace {
        case .seconds(let seconds): ending.interrupted = await !interruption.sleep(for: .seconds(seconds))
        case .enter(let nextLine): ending.interrupted = await !waitForEnter(nextLine)
        }
        if ending.interrupted {
            await connections.cut()
        } else {
            ending.interrupted = await !connections.settleAndEnd()
        }
        ending.seconds = MonotonicClock.now - started
        return ending
    }

    /// What the person is asked to do, below the phase that begins: both are short enough for 80 columns.
    static func prompt(_ trial: NumberedTrial, _ pace: Pace) -> String {
        let journey = "force-stop the app, open it, go through the journey"
        let again = trial.retryOf == nil ? "" : ", once more, as it told nothing"
        let phase = "phase \(trial.number) of \(trial.expectedTotal): \(trial.attack)\(again)"
        return switch pace {
        case .seconds(let seconds): "\(phase)\n  for \(Int(seconds.rounded(.up))) s: \(journey)"
        case .enter: "\(phase)\n  \(journey), then press Enter"
        }
    }

    /// True on Enter; input that ends is taken as the wish to end the run.
    private func waitForEnter(_ nextLine: @escaping @Sendable () async -> Bool) async -> Bool {
        let interruption = self.interruption
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        // A task of its own: a read from a terminal cannot be called off, and must not hold up an interruption.
        Task { answer.yield(await nextLine()) }
        let waiting = Task {
            await interruption.wait()
            answer.yield(false)
        }
        defer { waiting.cancel() }
        for await isEnter in answers {
            if !isEnter { await interruption.request() }
            return isEnter
        }
        return false
    }
}
