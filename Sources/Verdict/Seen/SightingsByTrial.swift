/// Sightings by trial, in their order.
///
/// Without a look into a table for each: those of a trial stand together, as a rule.
struct SightingsByTrial {
    private var all: [TrialKey: [Sighting]] = [:]
    private var key: TrialKey?
    /// Those of `key`, which are not in `all` meanwhile.
    private var latest: [Sighting] = []

    mutating func add(_ sighting: Sighting) {
        if sighting.trial != key { open(sighting.trial) }
        latest.append(sighting)
    }

    /// All of a trial; nobody else gets them.
    mutating func take(_ key: TrialKey) -> [Sighting] {
        if key != self.key { open(key) }
        defer { latest = [] }
        return latest
    }

    mutating func takeAll() -> [TrialKey: [Sighting]] {
        if let key { all[key] = latest }
        defer { self = SightingsByTrial() }
        return all
    }

    private mutating func open(_ key: TrialKey) {
        if let last = self.key { all[last] = latest }
        latest = all.removeValue(forKey: key) ?? []
        self.key = key
    }
}

extension Sequence<Sighting> {
    func byTrial() -> [TrialKey: [Sighting]] {
        var sorted = SightingsByTrial()
        for sighting in self { sorted.add(sighting) }
        return sorted.takeAll()
    }
}
