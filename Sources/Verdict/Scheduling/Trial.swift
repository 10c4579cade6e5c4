import Facts
import Policy

/// One trial to come: one run of COMMAND, or one phase.
package struct Trial: Hashable, Sendable {
    /// nil: passthrough.
    package var attack: Attack?
    package var variant: Attack.Variant?
    /// Hosts attacked alone, the others tunnelled; empty: every `refuse` host is attacked.
    package var only: Set<HostName>
    /// So many of a host's first connections are left alone, where the attack's own form attacks them: for a stack that
    /// comes only after another one's data went through.
    package var sparedFirst = 0

    package static let passthrough = Trial(attack: nil, variant: nil, only: [])

    /// `trusted-ca` in its plain form: what the cold starts of a proof are.
    package static let coldStart = coldStart(only: [])

    static func coldStart(only: Set<HostName>) -> Trial {
        Trial(attack: .trustedCA, variant: Attack.trustedCA.variants[0], only: only)
    }

    /// `trusted-ca` at these hosts, and nothing else attacked.
    static func hostOnly(_ hosts: Set<HostName>) -> Trial {
        let spares = Attack.trustedCA.variants.first(where: \.conduct.sparesOthers)
        return Trial(attack: .trustedCA, variant: spares ?? Attack.trustedCA.variants[0], only: hosts)
    }

    /// `untrusted-ca` in its plain form: the other half of the differential, and what controls are probed with.
    static func untrusted(only: Set<HostName> = []) -> Trial {
        Trial(attack: .untrustedCA, variant: Attack.untrustedCA.variants[0], only: only)
    }

    package init(attack: Attack?, variant: Attack.Variant?, only: Set<HostName> = []) {
        self.attack = attack
        self.variant = variant
        self.only = only
    }

    package var id: AttackID { attack?.id ?? .passthrough }

    package var isColdStart: Bool { id == .trustedCA && variant?.name == nil && sparedFirst == 0 }

    /// It is one half of the differential.
    var isHalfOfDifferential: Bool {
        let part = variant.flatMap { attack?.reading(of: $0.name).differential }
        return sparedFirst == 0 && (part == .trusted || part == .untrusted)
    }

    /// It attacks one connection of a host alone (`Conduct.Onset.only`).
    var isOfOneConnection: Bool {
        if case .only = variant?.conduct.onset { true } else { false }
    }

    /// It goes on from what an earlier start left.
    var continuesState: Bool { variant?.conduct.continuesState ?? false }

    /// It shows something only where the client offers more than the origin takes, or a version that is old.
    var isOfCertainOffer: Bool {
        switch Occasion(of: self) {
        case .moreThanOrigin, .version: true
        default: false
        }
    }

    /// It is addressed to connections by their place, which not every cold start may have.
    var isOfPlaces: Bool {
        switch variant?.conduct.onset {
        case .only, .allBut, .afterConnections: true
        default: false
        }
    }

    /// No budget counts it: only some clients give an occasion for it, and each for a few.
    var comesOnTop: Bool {
        let isRare = isOfOneConnection || continuesState || variant?.conduct.cutsWhatWorked ?? false
        guard !isRare, sparedFirst == 0 else { return true }
        guard let attack, attack.reading.occasion == .furtherConnection else { return false }
        return !attack.variants.contains { $0.name == variant?.name }
    }

    package var phase: Plan.Phase {
        guard let attack, let variant else { return .passthrough }
        return .attack(attack, sparedFirst > 0 ? variant.sparing(first: sparedFirst) : variant, only: only)
    }

    /// The line of evidence that begins it.
    package func start(number: Int, at: Double) -> TrialStart {
        TrialStart(
            trial: number, attack: id, variant: variant?.name, only: only.sorted(), sparedFirst: sparedFirst, at: at)
    }

    /// Every form of an attack, at all hosts; where something has to be lent for it, at those that it was lent for.
    static func all(of attack: Attack, in profile: Profile) -> [Trial] {
        attack.variants.compactMap { variant in
            guard let kind = variant.needs else { return Trial(attack: attack, variant: variant) }
            let hosts = profile.lent.keys.filter {
                profile.rule(for: $0)?.expect == .refuse && profile.lends(kind, for: $0)
            }
            if variant.conduct.answer == .redirect {
                // The key is at the host that sends clients on; the attacked one is another.
                return profile.isRedirectable(by: hosts) ? Trial(attack: attack, variant: variant) : nil
            }
            return hosts.isEmpty ? nil : Trial(attack: attack, variant: variant, only: Set(hosts))
        }
    }

    /// What could settle a requirement of one host; nil for an attack that is not of the run.
    init?(_ requirement: Requirement, of host: HostName, among attacks: [Attack], only: Set<HostName>) {
        guard let attack = attacks.first(where: { $0.id == requirement.attack }),
            let variant = attack.variants.first(where: { $0.name == requirement.variant })
        else { return nil }
        let isLent = variant.needs != nil && variant.conduct.answer != .redirect
        self.init(attack: attack, variant: variant, only: isLent ? [host] : only)
    }
}

extension [Attack] {
    /// The attack of connections after the first, where it is among these.
    var ofLaterConnections: Attack? { first { $0.reading.occasion == .furtherConnection } }
}

extension Profile {
    /// Some host that has to refuse can be redirected to from another one.
    fileprivate func isRedirectable(by hosts: [HostName]) -> Bool {
        let named = rules.filter { $0.expect == .refuse && $0.pattern.scope == .exact }.map(\.pattern.base)
        return named.contains { target in hosts.contains { $0 != target } }
    }
}
