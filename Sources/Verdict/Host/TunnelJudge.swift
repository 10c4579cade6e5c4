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
        let (word, why) = decide()
        return HostVerdict(
            host: host.text, rule: rule.pattern.description, expect: .tunnel, required: rule.required, verdict: word,
            why: why, attacks: AttackTally.tally(sightings), findings: BlockedUpdateHost.find(file, rule, host))
    }

    private func decide() -> (VerdictWord, String) {
        if sightings.contains(where: { $0.observation.action == .intercepted }) {
            return (.invalidEnvironment, "it was intercepted, and is declared never to be")
        }
        let worked = sightings.filter { $0.carriedGenuineData || $0.carriedPlainBytes }
        if !worked.isEmpty {
            return (.tunnelled, "carried data untouched on \(English.count(worked.count, "connection"))")
        }
        if sightings.isEmpty { return (.notExercised, "no client asked for it") }
        return sightings.contains(where: \.isUntouchedAttempt)
            ? (.invalidEnvironment, "it was asked for untouched, and no data came through")
            : (.notExercised, "it was connected to, and never used")
    }
}

extension Sighting {
    /// Bytes both ways without TLS.
    fileprivate var carriedPlainBytes: Bool {
        observation.hello == nil && observation.bytesUp > 0 && observation.bytesDown > 0
            && (observation.action == .tunnelled || observation.action == .forwarded)
    }
}
