import Facts
import Policy

/// How far a refusal can be trusted to be the client's answer to the chain it was shown.
enum Grade: Hashable {
    /// The client read the forged chain and would not have it.
    case conclusive
    /// Closed by an RST without a word before the handshake was over: a crash looks the same. Counts where every
    /// cold start ends so.
    case reset
    /// Another host's refusal came first; this may be an unused socket thrown away. Counts for nothing.
    case inCompany
    /// SNI and CONNECT do not say that it was for this host.
    case unidentified
    /// The client could not read us, or we offered another protocol than the origin: a fault of ours, not a refusal.
    case faulty
}

extension TrialFile {
    /// nil for what is no refusal at all.
    func grade(_ sighting: Sighting) -> Grade? {
        guard sighting.isRefusal else { return nil }
        guard sighting.isIdentified else { return .unidentified }
        let seen = sighting.observation
        if let alert = Classifier.fatalAlert(of: seen) {
            let signsHonestly = signsHonestly(sighting)
            if AlertClass.unreadable.contains(alert.code), signsHonestly { return .faulty }
            if AlertClass.certificate.contains(alert.code) { return .conclusive }
            // Where the signature is wrong on purpose, a word about it answers what was shown, whoever refused before.
            if !signsHonestly, AlertClass.signature.contains(alert.code) { return .conclusive }
        } else if let ours = seen.negotiated?.alpn, let theirs = seen.upstream?.negotiated?.alpn, ours != theirs {
            return .faulty
        }
        if isInCompany(sighting) { return .inCompany }
        return sighting.outcome == .silent && seen.close?.how == .rst ? .reset : .conclusive
    }

    /// Whether the handshake's signature fits the certificate; where it does not on purpose, "decrypt_error" is the
    /// answer of a client that took the chain. Attacks this version does not know may do so too.
    private func signsHonestly(_ sighting: Sighting) -> Bool {
        guard let attack = AttackCatalogue.attack(sighting.attack) else { return false }
        let variant = attack.variants.first { $0.name == sighting.variant } ?? attack.variants.first
        return variant?.recipe.key == .own
    }
}

/// What one host did in one whole trial in which it was to be attacked.
struct Meeting {
    let trial: TrialKey
    let attack: AttackID
    let variant: String?
    /// The other hosts were left alone.
    let isAlone: Bool
    let sightings: [Sighting]
    /// The refusals among them by stack.
    let refusals: [String: Set<Grade>]

    /// Where `attack` differs from the trial's: hosts expected to accept meet `trusted-ca` under every attack.
    init(_ file: TrialFile, _ host: HostName, attack: AttackID) {
        trial = file.key
        self.attack = attack
        variant = file.variant
        isAlone = !file.only.isEmpty
        sightings = (file.sightings[host] ?? []).filter { $0.outcome != nil }
        var refusals: [String: Set<Grade>] = [:]
        for sighting in sightings {
            if let grade = file.grade(sighting) { refusals[sighting.stack, default: []].insert(grade) }
        }
        self.refusals = refusals
    }

    var wasAttempted: Bool { !sightings.isEmpty }

    func has(_ grade: Grade, on stack: String) -> Bool { refusals[stack]?.contains(grade) ?? false }
    func stacks(_ grade: Grade) -> Set<String> { Set(refusals.filter { $0.value.contains(grade) }.keys) }
}

/// One attack, or one of its variants, that a run set out to try.
struct Requirement: Hashable {
    let attack: AttackID
    /// nil: the attack's only variant, or, for an attack unknown to this version, any.
    let variant: String?

    /// Attacks that a client gives an occasion for or not, by connecting again: never in the way of a proof.
    static let needingOccasion: Set<AttackID> = ["later-connection", "resumed-session"]

    static func all(of attacks: [AttackID]) -> [Requirement] {
        attacks.filter { !needingOccasion.contains($0) }.flatMap { id in
            AttackCatalogue.attack(id).map { attack in
                attack.variants.map { Requirement(attack: id, variant: $0.name) }
            } ?? [Requirement(attack: id, variant: nil)]
        }
    }

    func matches(_ meeting: Meeting) -> Bool {
        meeting.attack == attack && (variant == nil || meeting.variant == variant)
    }
}
