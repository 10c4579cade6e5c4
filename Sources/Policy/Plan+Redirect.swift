import Facts

/// The trials of `redirect`: who sends clients where.
extension Plan {
    /// The attacked host that clients are redirected to; nil in other trials, and where no host is suitable.
    ///
    /// It is the first `refuse` host that the profile names, or the trial's own. In `from` another such host has to lend
    /// its key, to send clients there.
    package var redirectTarget: HostName? {
        guard case .attack(_, let variant, let only) = phase, variant.conduct.answer == .redirect else { return nil }
        let named = profile.rules.filter { $0.expect == .refuse && $0.pattern.scope == .exact }.map(\.pattern.base)
        let candidates =
            only.isEmpty ? named : only.filter { profile.role(of: $0) == .refuse }.sorted { $0.text < $1.text }
        guard variant.needs == .backupKey else { return candidates.first }
        let lenders = profile.lent.filter { isLender($0.key) }.map(\.key)
        return candidates.first { target in lenders.contains { $0 != target } }
    }

    /// How a plain HTTP request for `host` is redirected to its https; nil where it is not.
    package func redirectsCleartext(to host: HostName) -> Conduct.Spelling? {
        guard case .attack(_, let variant, let only) = phase, variant.conduct.answer == .redirect, variant.needs == nil,
            profile.role(of: host) == .refuse, only.isEmpty || only.contains(host)
        else { return nil }
        return variant.conduct.spelling
    }

    /// What `redirect` makes of a host; nil where it is as in any other trial.
    func decideRedirect(
        _ host: HostName, _ role: HostRole, _ attack: Attack, _ variant: Attack.Variant, _ only: Set<HostName>
    ) -> Decision? {
        let target = redirectTarget
        if role == .refuse {
            if variant.needs == .backupKey, target != nil, host != target, isLender(host),
                let lent = Attack.lentKey.variants.first
            {
                return .intercept(.lentKey, lent.behaving(as: variant.conduct))
            }
            // Whoever was sent there is answered by the genuine server.
            let met = Attack.Variant(name: variant.name, set: variant.set, recipe: variant.recipe)
            return only.isEmpty || only.contains(host) ? .intercept(attack, met) : .tunnel
        }
        // Not from a control: what visits that may be another program, which follows a redirect without any pin, and
        // its data would be laid at the app's door.
        guard variant.needs == nil, target != nil, role == .accept else { return nil }
        return .intercept(.trustedCA, Attack.Variant(name: nil, conduct: variant.conduct))
    }

    private func isLender(_ host: HostName) -> Bool {
        profile.lent[host]?.backupKey != nil && profile.role(of: host) == .refuse
    }
}
