import Facts
import Policy
import Testing

@testable import Verdict

let provenApp = App(visits: [.accepting("cdn.test"), .pinned("api.test")])

/// A run that proves, to be edited.
struct Edited {
    var records: [EvidenceRecord]
    /// By number; without those that leave a connection alone for the sake of the one behind it.
    let trials: [Int: TrialStart]
    /// Those.
    let spared: [Int: TrialStart]

    init(
        _ app: App = provenApp, _ profile: Profile = .test(), _ selection: AttackSelection = .set(.standard),
        coldStarts: Int = 3
    ) {
        records = app.run(profile, selection, coldStarts: coldStarts).evidence.records.map(\.record)
        var trials: [Int: TrialStart] = [:]
        var spared: [Int: TrialStart] = [:]
        for case .trialStarted(let start) in records {
            if start.sparedFirst == 0 { trials[start.trial] = start } else { spared[start.trial] = start }
        }
        self.trials = trials
        self.spared = spared
    }

    func numbers(_ attack: AttackID) -> [Int] { trials.values.filter { $0.attack == attack }.map(\.trial).sorted() }

    /// Changes or (by nil) removes connections for a host in the given trials.
    mutating func edit(
        _ host: HostName, in numbers: [Int], _ change: (inout Observation) -> Void = { _ in }, remove: Bool = false
    ) {
        records = records.compactMap { record in
            guard var seen = record.observation, seen.host == host, numbers.contains(seen.trial) else {
                return record
            }
            if remove { return nil }
            change(&seen)
            return .connection(seen)
        }
    }

    func verdict(_ profile: Profile = .test()) throws -> HostVerdict {
        try Judge.judge(profile: profile, runs: [RunEvidence(records)]).host("api.test")
    }

    func lacks(_ missing: Missing..., profile: Profile = .test(), _ location: SourceLocation = #_sourceLocation) throws
    {
        let judgement = Judge.judge(profile: profile, runs: [RunEvidence(records)])
        let verdict = try judgement.host("api.test")
        #expect(verdict.verdict == .refusedUnproven, sourceLocation: location)
        #expect(verdict.strength == nil, sourceLocation: location)
        #expect(verdict.missing == missing, sourceLocation: location)
        #expect(judgement.result == .inconclusive, sourceLocation: location)
    }
}

struct Failure: Error {}

extension Observation {
    /// The same connection with another end.
    static func like(_ seen: Observation, _ act: Act) -> Observation {
        var other = Script.intercepted(
            seen.host ?? "x.test", seen.attack ?? .trustedCA, variant: seen.variant, stack: seen.hello?.stack ?? "", act
        )
        other.trial = seen.trial
        other.at = seen.at
        return other
    }
}
