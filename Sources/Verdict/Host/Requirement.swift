import Facts
import Policy

/// One form of one attack that a run set out to try, and a host has to be seen refusing.
struct Requirement: Hashable {
    let attack: AttackID
    /// nil for an attack's plain form; of an attack that this version does not know, any form.
    let variant: String?

    /// In the way of a proof only where the client gave an occasion for it.
    var needsOccasion: Bool { reading.occasion != .none }

    /// What the client has on offer decides whether it can be met at all.
    var dependsOnOffer: Bool { reading.occasion == .offer }

    /// How what a client does under it is read.
    var reading: Reading { AttackCatalogue.reading(of: attack, variant) }

    /// nil for one that this version does not know.
    var form: Attack.Variant? { AttackCatalogue.form(attack, variant) }

    /// The pinning test over what the client may not have on offer; it is no cold start of its own.
    var isOtherFormOfTrustedCA: Bool { attack == .trustedCA && variant != nil }

    /// Other hosts cannot be reached under it, or have nothing to give.
    var failsOthers: Bool { form?.conduct.failsOthers ?? false }
    /// They can be reached, and have nothing to give.
    var emptiesOthers: Bool { form?.conduct.emptiesOthers ?? false }

    /// As `missing` names it: with the form where the attack's own name says something else there, as of the plain
    /// CAs and of a fallback to cleartext that was seen.
    var name: AttackID {
        guard let variant,
            attack == .trustedCA || attack == .untrustedCA || reading.data == .inTheClearOnly
        else { return attack }
        return AttackID("\(attack)/\(variant)")
    }

    /// `id` or `id/variant`.
    var fullName: String { variant.map { "\(attack)/\($0)" } ?? attack.rawValue }

    func matches(_ meeting: Meeting) -> Bool {
        guard meeting.attack == attack else { return false }
        return meeting.variant == variant || variant == nil && AttackCatalogue.attack(attack) == nil
    }

    /// What a run by this header has to show of a host, by the catalogue's order; material that nobody lent for the
    /// host cannot have been presented there.
    static func all(of header: RunHeader, at host: HostName, in profile: Profile) -> Set<Requirement> {
        var all: Set<Requirement> = []
        for id in [.trustedCA, .untrustedCA] + header.attacks
        where id != .passthrough && AttackCatalogue.reading(of: id, nil).data != .control {
            let variants = variants(of: id, in: header)
            for variant in variants where isPossible(id, variant, at: host, in: profile) {
                all.insert(Requirement(attack: id, variant: variant))
            }
        }
        return all
    }

    static func all(of attacks: [Attack], at host: HostName, in profile: Profile) -> [Requirement] {
        attacks.filter { $0.reading.data != .control }.flatMap { attack in
            attack.variants.filter { isPossible($0, at: host, in: profile) }.map {
                Requirement(attack: attack.id, variant: $0.name)
            }
        }
    }

    private static func variants(of attack: AttackID, in header: RunHeader) -> [String?] {
        if header.variants.isEmpty {
            // Runs of the first version: its attacks had these forms, and said nothing of them.
            if let forms = AttackCatalogue.firstForms(of: attack) { return forms }
        } else {
            let prefix = attack.rawValue + "/"
            let named = header.variants.compactMap { name -> String?? in
                if name == attack.rawValue { return .some(nil) }
                return name.hasPrefix(prefix) ? .some(String(name.dropFirst(prefix.count))) : nil
            }
            if !named.isEmpty { return named }
            // No verdict without the plain form of both halves of the differential.
            if attack == .trustedCA || attack == .untrustedCA { return [nil] }
        }
        return AttackCatalogue.attack(attack)?.variants.map(\.name) ?? [nil]
    }

    private static func isPossible(
        _ attack: AttackID, _ variant: String?, at host: HostName, in profile: Profile
    ) -> Bool {
        AttackCatalogue.form(attack, variant).map { isPossible($0, at: host, in: profile) } ?? true
    }

    private static func isPossible(_ variant: Attack.Variant, at host: HostName, in profile: Profile) -> Bool {
        guard let kind = variant.needs else { return true }
        // A redirect comes from another host, and that one has the key.
        guard variant.conduct.answer == .redirect else { return profile.lends(kind, for: host) }
        return profile.lent.keys.contains { $0 != host && profile.lends(kind, for: $0) }
    }
}

extension Requirement: Comparable {
    /// As the catalogue tries them; what it does not know comes last, by name.
    static func < (a: Self, b: Self) -> Bool {
        let (mine, theirs) = (a.place, b.place)
        if mine != theirs { return mine < theirs }
        return (a.attack.rawValue, a.variant ?? "") < (b.attack.rawValue, b.variant ?? "")
    }

    private var place: [Int] {
        let all = AttackCatalogue.all
        guard let attack = all.firstIndex(where: { $0.id == attack }) else { return [all.count] }
        let variants = all[attack].variants
        return [attack, variants.firstIndex { $0.name == variant } ?? variants.count]
    }
}

extension Array where Element == Int {
    fileprivate static func < (a: [Int], b: [Int]) -> Bool { a.lexicographicallyPrecedes(b) }
}

extension Profile {
    /// The operator lent it for this very host.
    func lends(_ kind: LentKind, for host: HostName) -> Bool {
        guard let material = lent[host] else { return false }
        return switch kind {
        case .backupKey: material.backupKey != nil
        case .sameCAChain: material.sameCAChain != nil
        case .otherHost: !material.otherHost.isEmpty
        }
    }
}
