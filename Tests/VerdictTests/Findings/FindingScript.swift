import Facts
import Policy
import Testing

@testable import Verdict

extension Judgement {
    /// `finding@host severity` of everything that is more than a note.
    var accusations: [String] {
        located.filter { $0.finding.severity != .note }.map {
            "\($0.finding.id)@\($0.host ?? "") \($0.finding.severity.rawValue)"
        }.sorted()
    }
}

extension HostVerdict {
    func finding(_ id: String, _ location: SourceLocation = #_sourceLocation) throws -> Finding {
        try #require(findings.first { $0.id == id }, sourceLocation: location)
    }
}

extension App {
    /// A run with what else is seen in each trial, after the app's own visits.
    func judge(
        _ profile: Profile, _ selection: AttackSelection = .set(.standard), coldStarts: Int = 3,
        besides: (Trial) -> [Observation]
    ) -> Judgement {
        let attacks = selection.attacks
        var script = Script(
            coldStarts: coldStarts, attacks: attacks.map(\.id),
            variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(
            profile: profile, attacks: attacks, coldStarts: coldStarts, named: selection.named)
        var nth: [Trial: Int] = [:]
        while let trial = scheduler.next(evidence: script.evidence) {
            nth[trial, default: 0] += 1
            script.start(trial)
            play(trial, profile, &script, nth[trial, default: 1])
            for observation in besides(trial) { script.add(observation) }
            script.end()
        }
        script.finish()
        return Judge.judge(profile: profile, runs: [script.evidence])
    }
}

extension Profile {
    /// The same with a rule changed.
    func changing(_ host: HostPattern, _ change: (inout HostRule) -> Void) -> Profile {
        var profile = self
        for index in profile.rules.indices where profile.rules[index].pattern == host { change(&profile.rules[index]) }
        return profile
    }
}

extension Edited {
    /// One more trial at the end of the run, and a passthrough after it in which all is well.
    mutating func addTrial(_ attack: AttackID, variant: String? = nil, _ acts: [Act]) {
        let last = trials.keys.max() ?? 0
        var clock = 90_000.0
        let end = records.removeLast()
        let attacked = acts.map { Script.intercepted("api.test", attack, variant: variant, $0) }
        let untouched = ["cdn.test", "api.test"].map { Script.tunnelled($0) }
        let added: [(id: AttackID, variant: String?, seen: [Observation])] = [
            (attack, variant, attacked), (.passthrough, nil, untouched),
        ]
        for (index, trial) in added.enumerated() {
            let number = last + 1 + index
            records.append(
                .trialStarted(TrialStart(trial: number, attack: trial.id, variant: trial.variant, only: [], at: clock)))
            for observation in trial.seen {
                var observation = observation
                clock += 1
                observation.trial = number
                observation.at = clock
                records.append(.connection(observation))
            }
            records.append(.trialEnded(TrialEnd(trial: number, exit: 0, seconds: 20, at: clock)))
        }
        records.append(end)
    }
}
