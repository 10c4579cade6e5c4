import Facts

/// What a host is to a profile, its rule and `controls` taken together.
///
/// The most specific rule decides. `controls` speaks for hosts that no rule covers: one that has to refuse would be no
/// control, and one that is never to be touched stays untouched, however wide a control's pattern is.
package enum HostRole: Hashable, Sendable {
    /// Attacked.
    case refuse
    /// Shown the forging CA, and expected to work.
    case accept
    /// The same, without a verdict of its own: named under `controls`, and by no rule.
    case control
    /// Never touched.
    case tunnel
    /// The profile does not name it: `others` says what becomes of it.
    case undeclared

    /// Data under `trusted-ca` here shows that the CA is trusted.
    package var isControl: Bool { self == .accept || self == .control }
}

extension Profile {
    package func role(of host: HostName) -> HostRole {
        switch rule(for: host)?.expect {
        case .refuse: .refuse
        case .accept: .accept
        case .tunnel: .tunnel
        case nil: controls.contains { $0.matches(host) } ? .control : .undeclared
        }
    }

    /// Names whose connections `resolve` sends to an address.
    package func hosts(at address: Endpoint) -> Set<HostName> {
        Set(resolve.filter { $0.value.host == address.host && ($0.value.port ?? address.port) == address.port }.keys)
    }

    package func isControl(_ host: HostName) -> Bool { role(of: host).isControl }

    /// `hosts`, `controls` or `resolve` speak of it: that the proxy calls it is meant, wherever it may be.
    package func names(_ host: HostName) -> Bool { resolve[host] != nil || role(of: host) != .undeclared }
}

extension Profile {
    /// Hosts that have to refuse, where nothing that the profile names could show that the app trusts the forging CA: no
    /// control, no private anchor, no lent key, and no word that nothing but a pin refuses. Their refusals end unproven.
    package var beyondProof: [HostRule] { controls.isEmpty ? provenByControls : [] }

    /// Nothing but a control could show that the app trusts the forging CA, where some host has to refuse.
    package var isLostWithoutControls: Bool { !provenByControls.isEmpty }

    private var provenByControls: [HostRule] {
        guard !onlyPins, !rules.contains(where: { $0.expect == .accept }) else { return [] }
        return rules.filter { rule in
            rule.expect == .refuse && rule.anchors.isEmpty
                && !lent.contains { rule.pattern.matches($0.key) && $0.value.backupKey != nil }
        }
    }
}
