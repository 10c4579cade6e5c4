import Facts
import Policy

/// What one attack came to at one host.
package struct AttackTally: Hashable, Sendable {
    package var attack: AttackID
    package var outcomes: [Outcome: Int]
    package var connections: Int
    /// Its forms under which data was sent; nil in it for the plain one.
    package var dataForms: Set<String?>
    /// Fatal alerts of the client by name.
    package var alerts: [String: Int]
    /// Line numbers of evidence.jsonl, from 1.
    package var evidence: [Int]
    /// Application (intercepted) or raw (passthrough) bytes.
    package var bytesUp: Int
    package var bytesDown: Int

    package init(
        attack: AttackID, outcomes: [Outcome: Int] = [:], connections: Int = 0, dataForms: Set<String?> = [],
        alerts: [String: Int] = [:], evidence: [Int] = [], bytesUp: Int = 0, bytesDown: Int = 0
    ) {
        self.attack = attack
        self.outcomes = outcomes
        self.connections = connections
        self.dataForms = dataForms
        self.alerts = alerts
        self.evidence = evidence
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
    }
}

extension AttackTally {
    /// Counts a host's connections by what they met; `passthrough` has bytes and no outcomes.
    static func tally(_ sightings: [Sighting]) -> [AttackTally] {
        let byAttack = Dictionary(grouping: sightings, by: \.attack)
        return AttackCatalogue.inOrder(byAttack.keys).map { attack in
            var tally = AttackTally(attack: attack)
            for sighting in byAttack[attack] ?? [] {
                tally.connections += 1
                tally.evidence.append(sighting.line)
                // Evidence from elsewhere may hold numbers of any size.
                tally.bytesUp = sum(tally.bytesUp, sighting.observation.bytesUp)
                tally.bytesDown = sum(tally.bytesDown, sighting.observation.bytesDown)
                guard let outcome = sighting.outcome else { continue }
                tally.outcomes[outcome, default: 0] += 1
                if outcome == .data { tally.dataForms.insert(sighting.variant) }
                if let alert = sighting.answer.alert {
                    tally.alerts[alert.name, default: 0] += 1
                }
            }
            return tally
        }
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, isTooLarge) = a.addingReportingOverflow(max(0, b))
        return isTooLarge ? .max : sum
    }
}
