import Facts

/// What the proxy does to each connection of one trial: a function of profile and phase.
package struct Plan: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// Every host is tunnelled.
        case passthrough
        /// `refuse` hosts meet the attack, `accept` hosts and controls `trusted-ca`, unless the attack spares them; those
        /// are shown `untrusted-ca` as well, as one that takes it is no control.
        case attack(Attack, Attack.Variant, only: Set<HostName>)
        /// The debugging proxy: `accept` hosts are intercepted, the rest is tunnelled.
        case debugging
    }

    package enum Decision: Hashable, Sendable {
        case tunnel
        case intercept(Attack, Attack.Variant)
    }

    package var profile: Profile
    package var phase: Phase
    /// 0 outside trials.
    package var trial: Int
    /// In the debugging proxy: hosts of which somebody has said, while it runs, whether they are intercepted.
    package var overrides: [HostName: Bool] = [:]

    package init(profile: Profile, phase: Phase, trial: Int = 0) {
        self.profile = profile
        self.phase = phase
        self.trial = trial
    }

    /// What a connection for `host` meets.
    package func decide(_ host: HostName) -> Decision {
        let role = profile.role(of: host)
        let accepted = Decision.intercept(.trustedCA, .unattacked)
        switch phase {
        case .passthrough: return .tunnel
        case .attack(let attack, let variant, let only):
            if variant.conduct.answer == .redirect, let decision = decideRedirect(host, role, attack, variant, only) {
                return decision
            }
            let isProbe = attack.reading(of: variant.name).differential == .untrusted
            if role.isControl, isProbe, only.isEmpty || only.contains(host) {
                return .intercept(attack, .unattackedUntrusted)
            }
            // What a rehearsal shows a control, too, is to show something of the control.
            if role.isControl, attack.id == Attack.rehearsalID, only.contains(host) {
                return .intercept(attack, variant)
            }
            if role == .refuse {
                let isAttacked = only.isEmpty || only.contains(host)
                return isAttacked ? .intercept(attack, variant.presenting(recipe(of: variant, only))) : .tunnel
            }
            guard isAccepted(role), !variant.conduct.sparesOthers else { return .tunnel }
            if variant.conduct.emptiesOthers { return .intercept(.trustedCA, .unattackedAndEmpty) }
            return variant.conduct.sharesCertificate
                ? .intercept(.trustedCA, .unattacked(naming: namedTogether(only))) : accepted
        case .debugging:
            if let isIntercepted = overrides[host] { return isIntercepted ? accepted : .tunnel }
            return isAccepted(role) || role == .refuse ? accepted : .tunnel
        }
    }

    /// Whether a client gets through to `host` at all.
    package func reaches(_ host: HostName) -> Bool {
        guard case .attack(_, let variant, _) = phase, variant.conduct.cutsOffOthers else { return true }
        return profile.role(of: host) == .refuse
    }

    /// What a leaf has to name to be good for every attacked host. A star stands for one label alone there.
    private func attacked(_ only: Set<HostName>) -> [HostPattern] {
        guard only.isEmpty else { return only.sorted().map(HostPattern.init(exactly:)) }
        return profile.rules.filter { $0.expect == .refuse }.map(\.pattern)
    }

    /// The host for which the certificate of a connection is made, where all are shown that of one.
    ///
    /// One that this does not name, as the profile does not, has its own: it would refuse a certificate for others, and an app
    /// that stops there would never come to the attack.
    package func certified(_ host: HostName) -> HostName {
        guard case .attack(_, let variant, let only) = phase, variant.conduct.sharesCertificate, let unpinned else {
            return host
        }
        let isNamed = host == unpinned || namedTogether(only).contains { $0.isCertificateName(of: host) }
        return isNamed ? unpinned : host
    }

    /// A host that the app contacts and does not pin, as far as the profile tells.
    private var unpinned: HostName? {
        let accepted = profile.rules.filter { $0.expect == .accept }.map(\.pattern)
        return (profile.controls + accepted).first { $0.scope == .exact && isAccepted(profile.role(of: $0.base)) }?.base
    }

    /// What an attacked host is shown where that hangs on the profile's other hosts.
    private func recipe(of variant: Attack.Variant, _ only: Set<HostName>) -> Recipe {
        if variant.conduct.sharesCertificate { return Recipe(name: .targetBeside(namedTogether(only))) }
        var recipe = variant.recipe
        // A name that nobody knows is refused by some, where one that is known and has no pin is not.
        switch recipe.name {
        case .second: recipe.name = .second(unpinned)
        case .foreignCommonName: recipe.name = .foreignCommonName(unpinned)
        case .known: recipe.name = .known(unpinned)
        default: break
        }
        return recipe
    }

    /// What the one leaf for all names beside the host that it is made for.
    private func namedTogether(_ only: Set<HostName>) -> [HostPattern] {
        let accepted = profile.rules.filter { $0.expect == .accept }.map(\.pattern)
        let made = unpinned.map(HostPattern.init(exactly:))
        return attacked(only) + (profile.controls + accepted).filter { $0 != made }
    }

    /// Intercepted and expected to work.
    private func isAccepted(_ role: HostRole) -> Bool {
        role.isControl || role == .undeclared && profile.others == .accept
    }

    /// Whether a connection of this client is anybody's business: where clients are told apart, one that is none of
    /// them is left alone.
    package func concerns(client: String?) -> Bool { profile.clients.isEmpty || client != nil }

    /// Whether a name that is told later may say where a connection to `target` really goes: this is an address, and `resolve`
    /// speaks of names.
    package func mayBeNamed(_ target: Endpoint) -> Bool {
        target.host.isIP && profile.resolve[target.host] == nil && profile.resolve.keys.contains { !$0.isIP }
    }

    /// What a connection that asked for the address `target` is for, once its ClientHello has named a host: that host, where
    /// `resolve` knows it.
    package func named(_ target: Endpoint, _ name: HostName?) -> Endpoint {
        guard let name, !name.isIP, mayBeNamed(target), profile.resolve[name] != nil else { return target }
        return Endpoint(name, target.port)
    }

    /// Where a connection to `target` really goes.
    package func destination(of target: Endpoint) -> Endpoint {
        guard let mapped = profile.resolve[target.host] else { return target }
        return Endpoint(mapped.host, mapped.port ?? target.port)
    }
}
