import Loop

/// One of the trials of a run, as it is shown while it goes on.
package struct ProgressStep: Hashable, Sendable {
    /// From 1.
    package var number: Int
    package var expectedTotal: Int
    package var name: String
    /// What it is aimed at; may be empty.
    package var targets: [String]

    package init(number: Int, expectedTotal: Int, name: String, targets: [String] = []) {
        self.number = number
        self.expectedTotal = expectedTotal
        self.name = name
        self.targets = targets
    }
}

/// Tells how far the run is: one redrawn line on a terminal, a plain line a trial elsewhere.
package final class ProgressLine: Sendable {
    private struct State {
        var trial: ProgressStep?
        var startedAt = 0.0
        var finished = 0
        var seconds = 0.0
        /// The time left that was shown last: it is never shown to have grown.
        var shown: Double?
    }

    package enum Style: Sendable {
        /// A line a trial, or one that is redrawn.
        case announced
        /// Only the line that is redrawn: the driver says itself which trial begins.
        case drawn
        /// The same for phases that a person goes through, each of which has its time.
        case countdown
        case silent
    }

    private let console: Console
    private let secondsPerTrial: Double?
    private let style: Style
    private let state = Locked(State())

    package init(console: Console, secondsPerTrial: Double?, style: Style = .announced) {
        self.console = console
        self.secondsPerTrial = secondsPerTrial
        self.style = style
    }

    package func began(_ trial: ProgressStep, at now: Double) {
        state.withLock {
            $0.trial = trial
            $0.startedAt = now
        }
        if !console.isTerminal, style == .announced { console.say(Self.line(trial, secondsLeft: nil)) }
        draw(at: now)
    }

    /// Redraws with the time that has passed.
    package func draw(at now: Double) {
        guard console.isTerminal, style != .silent else { return }
        let line = state.withLock { state in
            let left = Self.secondsLeft(state, secondsPerTrial, at: now).map { left in
                min(left, state.shown ?? .infinity)
            }
            state.shown = left ?? state.shown
            return state.trial.map { trial in
                guard style == .countdown, let secondsPerTrial else { return Self.line(trial, secondsLeft: left) }
                return Self.countdown(trial, left: secondsPerTrial - (now - state.startedAt), inAll: left ?? 0)
            }
        }
        if let line { console.status(line) }
    }

    /// - Parameter words: how the trial went, for `-v`.
    package func ended(_ words: String, at now: Double) {
        let trial = state.withLock { state in
            defer { state.trial = nil }
            state.finished += 1
            state.seconds += max(0, now - state.startedAt)
            return state.trial
        }
        if let trial { console.detail("trial \(trial.number): \(words)") }
    }

    /// What came of a trial.
    ///
    /// - Parameter isWanted: it is told as anything is; else for `-v`, and found out for that alone.
    package func glanced(isWanted: Bool, _ words: () -> String) {
        guard isWanted || console.loudness >= .verbose else { return }
        console.say("  \(words())")
    }

    /// What goes on before the first trial.
    package func waits(_ words: String) {
        if console.isTerminal, style != .silent { console.status(words) }
    }

    package func warned(_ words: String) { console.warn(words) }

    package func cleared() { console.clearStatus() }

    /// `trial 4 of 12  trusted-ca  api.example.com, b.example.com  about 50 s left`
    static func line(_ trial: ProgressStep, secondsLeft: Double?) -> String {
        let shown = trial.targets.prefix(targetLimit).joined(separator: ", ")
        let more = trial.targets.count > targetLimit ? " and \(trial.targets.count - targetLimit) more" : ""
        var parts = ["trial \(trial.number) of \(trial.expectedTotal)"]
        parts.append(trial.name)
        if !shown.isEmpty { parts.append(shown + more) }
        // The time goes before the hosts could push it off the line's end.
        if let secondsLeft { parts.insert("about \(Int(secondsLeft.rounded(.up))) s left", at: 1) }
        return parts.joined(separator: "  ")
    }

    /// `phase 3 of 4  42 s left, 2 min in all  trusted-ca  api.example.com`
    static func countdown(_ trial: ProgressStep, left: Double, inAll: Double) -> String {
        let phase = "phase \(trial.number) of \(trial.expectedTotal)"
        // Connections that may still show something are waited for.
        guard left > 0 else { return "\(phase)  is over: its connections are ended" }
        let rest = trial.number < trial.expectedTotal ? ", \(duration(inAll)) in all" : ""
        return ([phase, "\(duration(left)) left\(rest)", trial.name] + trial.targets.prefix(targetLimit))
            .joined(separator: "  ")
    }

    /// Seconds, or minutes where nobody counts those.
    private static func duration(_ seconds: Double) -> String {
        seconds > 120 ? "\(Int((seconds / 60).rounded(.up))) min" : "\(Int(seconds.rounded(.up))) s"
    }

    /// More names than these do not fit one line.
    private static let targetLimit = 3

    private static func secondsLeft(_ state: State, _ fixed: Double?, at now: Double) -> Double? {
        guard let trial = state.trial,
            let each = fixed ?? (state.finished > 0 ? state.seconds / Double(state.finished) : nil)
        else { return nil }
        let rest = Double(trial.expectedTotal - trial.number) * each
        return rest + max(0, each - (now - state.startedAt))
    }
}
