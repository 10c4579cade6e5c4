import Facts
import Policy

/// One trial with every connection accepted in it.
struct TrialFile {
    let key: TrialKey
    let attack: AttackID
    let variant: String?
    let only: Set<HostName>
    /// It ended, and nobody interrupted it. Any other trial counts for nothing but witnesses.
    let isComplete: Bool
    let sightings: [HostName: [Sighting]]
    /// Attacked hosts that carried no data in this trial, by when each could first have known: the first two are
    /// enough to tell whether there was another one before a given moment.
    private let failing: [(host: HostName, met: Double)]

    init(
        key: TrialKey, attack: AttackID, variant: String? = nil, only: Set<HostName> = [], isComplete: Bool = false,
        sightings: [Sighting] = []
    ) {
        self.key = key
        self.attack = attack
        self.variant = variant
        self.only = only
        self.isComplete = isComplete
        self.sightings = Dictionary(grouping: sightings, by: \.host)
        let failing = self.sightings.compactMap { host, seen -> (host: HostName, met: Double)? in
            let attacked = seen.filter { $0.outcome != nil }
            guard !attacked.contains(where: \.isTrust) else { return nil }
            return attacked.map(\.met).min().map { (host, $0) }
        }
        self.failing = Array(failing.sorted { ($0.met, $0.host) < ($1.met, $1.host) }.prefix(2))
    }

    var isPassthrough: Bool { attack == .passthrough }

    /// `refuse` hosts met the attack in this trial.
    func attacks(_ host: HostName) -> Bool { !isPassthrough && (only.isEmpty || only.contains(host)) }

    /// Another host had been met with a forged chain, and had not taken it, before this connection ended.
    ///
    /// An app that gives up its journey at the first refusal closes what it had opened ahead elsewhere, unused, and
    /// on the wire that is a refusal too. The cause comes before the effect, so what ended earlier is not in company.
    func isInCompany(_ sighting: Sighting) -> Bool {
        failing.contains { $0.host != sighting.host && $0.met <= sighting.left }
    }
}
