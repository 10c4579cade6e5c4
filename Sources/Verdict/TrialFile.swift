import Facts
import Policy

/// One trial with every connection accepted in it.
struct TrialFile {
    let key: TrialKey
    var attack: AttackID
    var variant: String?
    var only: Set<HostName>
    /// It ended, and nobody interrupted it. Any other trial counts for nothing but witnesses.
    var isComplete = false
    private(set) var sightings: [HostName: [Sighting]] = [:]
    /// Attacked hosts that carried no data in this trial, and when each could first have known.
    private var failing: [HostName: Double] = [:]
    private var accepting: Set<HostName> = []

    init(key: TrialKey, attack: AttackID, variant: String? = nil, only: Set<HostName> = []) {
        self.key = key
        self.attack = attack
        self.variant = variant
        self.only = only
    }

    var isPassthrough: Bool { attack == .passthrough }

    /// `refuse` hosts met the attack in this trial.
    func attacks(_ host: HostName) -> Bool { !isPassthrough && (only.isEmpty || only.contains(host)) }

    mutating func add(_ sighting: Sighting) {
        sightings[sighting.host, default: []].append(sighting)
        guard sighting.outcome != nil else { return }
        if sighting.isTrust {
            accepting.insert(sighting.host)
            failing[sighting.host] = nil
        } else if !accepting.contains(sighting.host) {
            failing[sighting.host] = min(failing[sighting.host] ?? .infinity, sighting.met)
        }
    }

    /// Another host had been met with a forged chain, and had not taken it, before this connection ended.
    ///
    /// An app that gives up its journey at the first refusal closes what it had opened ahead elsewhere, unused, and
    /// on the wire that is a refusal too. The cause comes before the effect, so what ended earlier is not in company.
    func isInCompany(_ sighting: Sighting) -> Bool {
        failing.contains { $0.key != sighting.host && $0.value <= sighting.left }
    }
}
