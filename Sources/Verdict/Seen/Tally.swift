import Facts

extension AttackTally {
    /// Counts a host's connections by what they met; `passthrough` has bytes and no outcomes.
    static func tally(_ sightings: [Sighting]) -> [AttackTally] {
        let byAttack = Dictionary(grouping: sightings, by: \.attack)
        return Claim.inOrder(byAttack.keys).map { attack in
            var tally = AttackTally(attack: attack)
            for sighting in byAttack[attack] ?? [] {
                tally.connections += 1
                tally.evidence.append(sighting.line)
                tally.bytesUp += sighting.observation.bytesUp
                tally.bytesDown += sighting.observation.bytesDown
                guard let outcome = sighting.outcome else { continue }
                tally.outcomes[outcome, default: 0] += 1
                if outcome == .data { tally.dataForms.insert(sighting.variant) }
                if let alert = Classifier.fatalAlert(of: sighting.observation) {
                    tally.alerts[alert.name, default: 0] += 1
                }
            }
            return tally
        }
    }
}
