import Facts
import Policy

/// Judges one host that must never be touched: it has to be seen working so.
struct TunnelJudge {
    let file: CaseFile
    let host: HostName
    let rule: HostRule
    let sightings: [Sighting]

    init(_ file: CaseFile, _ rule: HostRule, _ host: HostName) {
        self.file = file
        self.host = host
        self.rule = rule
        sightings = file.sightings(of: host)
    }

    func verdict() -> HostVerdict {
        let (word, reason) = decide()
        return HostVerdict(
            host: host.text, rule: rule.pattern.description, expect: .tunnel, required: rule.required, verdict: word,
            reason: reason, attacks: AttackTally.tally(sightings), findings: BlockedUpdateHost.find(file, rule, host))
    }

    private func decide() -> (VerdictWord, Reason) {
        if sightings.contains(where: { $0.observation.action == .intercepted }) {
            return (.invalidEnvironment, .intercepted)
        }
        let worked = sightings.filter { $0.carriedGenuineData || $0.carriedPlainBytes }
        if !worked.isEmpty { return (.tunnelled, .tunnelled(connections: worked.count)) }
        if sightings.isEmpty { return (.notExercised, .notAskedFor) }
        return sightings.contains(where: \.isUntouchedAttempt)
            ? (.invalidEnvironment, .noDataUntouched) : (.notExercised, .neverUsed)
    }
}

extension Sighting {
    /// Bytes both ways without TLS.
    fileprivate var carriedPlainBytes: Bool {
        !hasHello && observation.bytesUp > 0 && observation.bytesDown > 0
            && (observation.action == .tunnelled || observation.action == .forwarded)
    }
}
