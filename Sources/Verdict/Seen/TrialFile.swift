import Facts
import Policy

/// One trial with every connection accepted in it.
struct TrialFile {
    let key: TrialKey
    let attack: AttackID
    let variant: String?
    let only: Set<HostName>
    /// As `TrialStart` says it.
    let sparedFirst: Int
    let retryOf: Int?
    /// Hosts that do not have to refuse were left alone in it.
    var sparesOthers: Bool { conduct?.sparesOthers ?? false }
    /// They could not be reached in it.
    var cutsOffOthers: Bool { conduct?.cutsOffOthers ?? false }
    /// The same, or they had nothing to give.
    var failsOthers: Bool { conduct?.failsOthers ?? false }
    private var conduct: Conduct? { AttackCatalogue.form(attack, variant)?.conduct }
    /// How what is done under its attack is read.
    let reading: Reading
    /// How it ended; nil where that is not in the evidence.
    let end: TrialEnd?
    /// It ended, and nobody interrupted it. Any other trial counts for nothing but witnesses.
    var isComplete: Bool { end.map { !$0.interrupted } ?? false }
    let sightings: [HostName: [Sighting]]
    /// What the other starts show of company; nil: nothing.
    var independence: Independence?
    /// Intercepted hosts that got no answer to data in this trial, by when each could first have known: the first two are
    /// enough to tell whether there was another one before a given moment.
    private let failing: [(host: HostName, met: Double)]
    /// Intercepted hosts that trusted and got an error, or no answer: from when each could first have known, an error not
    /// before it came, to when the last such connection was gone.
    private let unserved: [(host: HostName, met: Double, left: Double)]
    /// For hosts that several stacks were attacked on: from when the first connection of each could know to when the
    /// last was gone.
    private let spans: [HostName: [String: (met: Double, left: Double)]]

    init(
        key: TrialKey, attack: AttackID, variant: String? = nil, only: Set<HostName> = [], sparedFirst: Int = 0,
        retryOf: Int? = nil, end: TrialEnd? = nil, sightings: [Sighting] = []
    ) {
        self.sparedFirst = sparedFirst
        self.retryOf = retryOf
        self.key = key
        self.attack = attack
        self.variant = variant
        reading = AttackCatalogue.reading(of: attack, variant)
        self.only = only
        self.end = end
        self.sightings = Dictionary(grouping: sightings, by: \.host)
        var unserved: [(host: HostName, met: Double, left: Double)] = []
        let failing = self.sightings.compactMap { host, seen -> (host: HostName, met: Double)? in
            let met = seen.filter { $0.outcome != nil }
            // What it took under a lent key does not make up for what it refused after that.
            let forged = met.filter { !$0.isUnderLentKey }
            let attacked = forged.isEmpty ? met : forged
            // A request that nobody answered, or by an error, ends a journey as well as a refusal does.
            let isServed = attacked.contains(where: \.wasServed)
            let failed = isServed ? attacked.filter { $0.isTrust && $0.wasTurnedAway } : attacked
            guard let met = failed.map(\.failed).min() else { return nil }
            // What is opened when an error has come and its connection is gone was not opened ahead of it.
            guard failed.allSatisfy(\.isTrust) else { return (host, met) }
            unserved.append((host, met, failed.map(\.left).max() ?? .infinity))
            return nil
        }
        spans = self.sightings.compactMapValues { seen in
            // Nearly always it is one stack's host.
            guard let first = seen.first?.stack, seen.contains(where: { $0.stack != first }) else { return nil }
            let spans = seen.filter { $0.outcome != nil }.reduce(into: [String: (met: Double, left: Double)]()) {
                let known = $0[$1.stack] ?? (.infinity, -.infinity)
                $0[$1.stack] = (min(known.met, $1.met), max(known.left, $1.left))
            }
            return spans.count > 1 ? spans : nil
        }
        self.unserved = unserved
        self.failing = Array(failing.sorted { ($0.met, $0.host) < ($1.met, $1.host) }.prefix(2))
    }

    var isPassthrough: Bool { attack == .passthrough }

    /// `refuse` hosts met the attack in this trial.
    func attacks(_ host: HostName) -> Bool { !isPassthrough && (only.isEmpty || only.contains(host)) }

    /// A host that was intercepted refused, or was not served: an app may have given up its journey there.
    var mayHaveEndedEarly: Bool { !failing.isEmpty || !unserved.isEmpty }

    /// Another host, or another stack on this one, had been met with a forged chain, and had not got on with it,
    /// before this connection ended.
    ///
    /// An app that gives up its journey at the first refusal closes what it had opened ahead elsewhere, unused, and
    /// on the wire that is a refusal too. The cause comes before the effect, so what ended earlier is not in company; nor is
    /// what other starts show to be this host's own (`Independence`).
    func isInCompany(_ sighting: Sighting) -> Bool {
        if !company(of: sighting).isEmpty, !(independence?.isOwn(sighting, in: self) ?? false) { return true }
        // One host can never be attacked on one stack alone, so only what was open at the same time counts: an app
        // that tries again on another stack has opened nothing ahead.
        return spans[sighting.host]?.contains { stack, span in
            stack != sighting.stack && span.met <= sighting.left && sighting.observation.at <= span.left
        } ?? false
    }

    /// The other hosts that had not been got on with before this connection ended; of several that failed, two at most.
    func company(of sighting: Sighting) -> [HostName] {
        let failed = failing.filter { $0.host != sighting.host && $0.met <= sighting.left }.map(\.host)
        return failed
            + unserved.filter {
                $0.host != sighting.host && $0.met <= sighting.left && sighting.observation.at <= $0.left
            }.map(\.host)
    }
}
