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
        var script = Script(coldStarts: coldStarts, attacks: selection.attacks.map(\.id))
        var scheduler = Scheduler(profile: profile, attacks: selection.attacks, coldStarts: coldStarts)
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
