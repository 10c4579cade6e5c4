import Facts
import Verdict

/// The words for what became of a run's plan.
enum CourseWords {
    /// Names that fit a sentence.
    private static let namedAtMost = 8

    static func named(_ names: [String]) -> String {
        let more = names.count - namedAtMost
        return names.prefix(namedAtMost).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    static func text(_ early: EarlyEnd) -> String {
        let hosts = named(early.hosts.map(\.text))
        switch early.reason {
        case .nothingCrossed:
            return
                "ended early: nothing came to the proxy in the first untouched start, so no attack could have told anything"
        case .commandNotRun:
            return "ended early: COMMAND could not be run, and nothing came to the proxy"
        case .originUnusable:
            return "ended early: \(hosts) cannot be tested here, whatever the app does"
        case .nameSlip:
            let pairs = zip(early.hosts, early.instead).map { "\($1.text) was asked for, and \($0.text) was not" }
            return "ended early: \(named(pairs)): one of the two names looks like a slip"
        case .notVisited:
            let wanted = early.hosts.isEmpty ? "what the profile's hosts name" : hosts
            return "ended early: nobody asked for \(wanted); asked for was \(named(early.instead.map(\.text)))"
        case .visitedOnce:
            return
                "ended early: only the first start asked for anything (\(hosts)); those under the CA ended well and asked "
                + "for nothing"
        case .caNotTrusted:
            return
                "ended early: every control refused the CA (\(hosts)), so this build does not trust it where it was shown, and "
                + "no refusal could have proven a pin"
        }
    }

    static func text(_ trials: [RetriedTrial]) -> String {
        let told = trials.prefix(namedAtMost).map { trial in
            let form = trial.variant.map { "\(trial.attack)/\($0)" } ?? trial.attack.rawValue
            return "trial \(trial.trial) (\(form): \(text(trial.end)))"
        }
        let more = trials.count - told.count
        return "\(English.count(trials.count, "start")) \(trials.count == 1 ? "was" : "were") run again: "
            + told.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// `exit 1, "emulator: no device"`.
    static func text(_ end: TrialEnd?) -> String {
        guard let end else { return "no end" }
        let how =
            if end.timedOut { "ended by the time limit" } else if let signal = end.signal { "signal \(signal)" } else {
                end.exit.map { "exit \($0)" } ?? "no host to judge came"
            }
        return how + (end.lastError.map { ", \"\($0)\"" } ?? "")
    }
}
