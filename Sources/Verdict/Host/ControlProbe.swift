import Facts
import Policy

/// What hosts that serve as controls made of a CA that nobody installed.
///
/// A client that takes any certificate takes the trusted CA's too, and shows trust in nothing by it. So a control counts
/// only on stacks on which it was shown `untrusted-ca` in the same run, and refused it.
struct ControlProbe {
    enum Answer: Hashable {
        /// It would not have it: what it takes under the trusted CA it takes because it trusts that.
        case refused
        /// It sent data to a server that nobody vouches for.
        case took
        /// Neither, or only in the company of another host's refusal.
        case unclear
        case notShown
    }

    private struct Place: Hashable {
        let run: Int
        let host: HostName
        let stack: String
    }

    private let answers: [Place: Answer]

    init(_ file: CaseFile) {
        var answers: [Place: Answer] = [:]
        for trial in file.trials where trial.attack == .untrustedCA {
            for (host, seen) in trial.sightings where file.profile.isControl(host) {
                for sighting in seen where sighting.attack == .untrustedCA && sighting.outcome != nil {
                    let place = Place(run: trial.key.run, host: host, stack: sighting.stack)
                    answers[place] = Self.worse(answers[place], Self.answer(sighting, in: trial))
                }
            }
        }
        self.answers = answers
    }

    func answer(of host: HostName, on stack: String, run: Int) -> Answer {
        answers[Place(run: run, host: host, stack: stack)] ?? .notShown
    }

    /// Data outweighs everything, and one refusal that counts outweighs what is unclear.
    private static func worse(_ a: Answer?, _ b: Answer) -> Answer {
        guard let a else { return b }
        if a == .took || b == .took { return .took }
        return a == .refused || b == .refused ? .refused : .unclear
    }

    private static func answer(_ sighting: Sighting, in trial: TrialFile) -> Answer {
        if sighting.outcome == .data { return .took }
        guard trial.isComplete, let grade = trial.grade(sighting) else { return .unclear }
        return grade == .conclusive || grade == .reset ? .refused : .unclear
    }
}

extension TrialFile {
    /// Controls meet `untrusted-ca` in this trial, this one among them.
    func probes(_ control: HostName) -> Bool {
        reading.differential == .untrusted && (only.isEmpty || only.contains(control))
    }
}
