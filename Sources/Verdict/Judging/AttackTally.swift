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
        var tallies: [AttackID: AttackTally] = [:]
        // One attack's connections stand together, as a rule: no table is asked for each.
        var latest: Count?
        for sighting in sightings {
            if sighting.attack != latest?.tally.attack {
                if let done = latest?.whole { tallies[done.attack] = done }
                // Taken out, as what is added to would be copied whole.
                latest = Count(tallies.removeValue(forKey: sighting.attack) ?? AttackTally(attack: sighting.attack))
            }
            latest?.add(sighting)
        }
        if let done = latest?.whole { tallies[done.attack] = done }
        return AttackCatalogue.inOrder(tallies.keys).compactMap { tallies[$0] }
    }

    /// One under way, with what is counted by a look at each number.
    private struct Count {
        private(set) var tally: AttackTally
        private var outcomes: [(outcome: Outcome, count: Int)] = []
        private var alerts: [(code: UInt8, name: String, count: Int)] = []

        init(_ tally: AttackTally) { self.tally = tally }

        mutating func add(_ sighting: Sighting) {
            tally.connections += 1
            tally.evidence.append(sighting.line)
            // Evidence from elsewhere may hold numbers of any size.
            tally.bytesUp = AttackTally.sum(tally.bytesUp, sighting.observation.bytesUp)
            tally.bytesDown = AttackTally.sum(tally.bytesDown, sighting.observation.bytesDown)
            guard let outcome = sighting.outcome else { return }
            if let index = outcomes.firstIndex(where: { $0.outcome == outcome }) {
                outcomes[index].count += 1
            } else {
                outcomes.append((outcome, 1))
            }
            if outcome == .data { tally.dataForms.insert(sighting.variant) }
            guard let alert = sighting.answer.alert else { return }
            if let index = alerts.firstIndex(where: { $0.code == alert.code }) {
                alerts[index].count += 1
            } else {
                alerts.append((alert.code, alert.name, 1))
            }
        }

        var whole: AttackTally {
            var tally = tally
            for (outcome, count) in outcomes { tally.outcomes[outcome, default: 0] += count }
            for (_, name, count) in alerts { tally.alerts[name, default: 0] += count }
            return tally
        }
    }

    fileprivate static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, isTooLarge) = a.addingReportingOverflow(max(0, b))
        return isTooLarge ? .max : sum
    }
}
