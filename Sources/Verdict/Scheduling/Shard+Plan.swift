import Facts
import Policy

extension Shard {
    /// This share's attacks: `trusted-ca` and `untrusted-ca` in their plain forms, and what is a control, are in each of
    /// them; every other form is in one.
    ///
    /// What attacks connections by their place stays together, in the last share: which of them are worth a start is seen
    /// from all. That share also has what comes on top when all else was refused, and so less of the rest.
    package func share(of attacks: [Attack]) -> [Attack] {
        var loads = [Int](repeating: 0, count: count)
        let hasLater = attacks.ofLaterConnections != nil
        if hasLater { loads[count - 1] = FurtherForm.all(among: attacks).count }
        return attacks.compactMap { attack in
            if attack.reading.data == .control { return attack }
            if hasLater, attack.id == attacks.ofLaterConnections?.id { return index == count ? attack : nil }
            let isBase = attack.id == .trustedCA || attack.id == .untrustedCA
            let own = attack.variants.filter { variant in
                if isBase, variant.name == attack.variants.first?.name { return true }
                let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
                loads[least] += 1
                return least == index - 1
            }
            return own.isEmpty ? nil : attack.with(own)
        }
    }

    /// Of the cold starts that the whole plan rests on; one at least, as each share needs its own.
    package func share(ofColdStarts all: Int) -> Int {
        max(1, all / count + (index <= all % count ? 1 : 0))
    }
}

extension CaseFile {
    /// One share of a plan alone: where the others are is not known.
    var isShareAlone: Bool { runs.count == 1 && runs[0].header?.shard.map { $0.count > 1 } ?? false }

    /// Shares of a plan that are not among the runs, where more than one is; in order.
    var missingShards: [Shard] {
        let shards = runs.compactMap { $0.header?.shard }
        guard runs.count > 1, let count = shards.map(\.count).max() else { return [] }
        return (1...count).compactMap { Shard($0, of: count) }.filter { !shards.contains($0) }
    }
}
