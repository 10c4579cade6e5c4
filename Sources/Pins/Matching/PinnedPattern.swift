import Facts

/// A host, or a domain's names of one or of any number of labels more, in a profile's words.
package struct PinnedPattern: Hashable, Sendable, CustomStringConvertible {
    package enum Scope: Int, Hashable, Sendable, CaseIterable {
        case exact, oneLabel, anyDepth
    }

    package let scope: Scope
    /// In lower case, without wildcard and trailing dot.
    package let domain: String

    package init(_ scope: Scope, _ domain: String) {
        self.scope = scope
        self.domain = domain
    }

    /// `example.com`, `*.example.com`, `**.example.com`; what else stands there is the domain.
    package init(_ text: String) {
        let (scope, rest): (Scope, Substring) =
            text.hasPrefix("**.")
            ? (.anyDepth, text.dropFirst(3))
            : text.hasPrefix("*.") ? (.oneLabel, text.dropFirst(2)) : (.exact, text[...])
        self.init(scope, PlatformRules.normal(String(rest)))
    }

    /// Those that an entry stands for; none where its host is not known.
    package static func of(_ host: DeclaredHost) -> [PinnedPattern] { host.patterns.map { PinnedPattern($0) } }

    /// The same, and those of which the entry says something by being there.
    ///
    /// On Cronet an entry for a name alone takes the names below it out of every wider one.
    static func ruled(by host: DeclaredHost) -> [PinnedPattern] {
        let patterns = of(host)
        guard host.format == .cronet, let domain = host.domain, host.reach == .itself else { return patterns }
        return patterns + [PinnedPattern(.anyDepth, domain)]
    }

    package var description: String {
        switch scope {
        case .exact: domain
        case .oneLabel: "*.\(domain)"
        case .anyDepth: "**.\(domain)"
        }
    }

    /// A host of this pattern that no other one of a file names: a label `*` is nobody's.
    ///
    /// For any depth it is one of two labels more, since those of one may have a pattern of their own.
    package var probe: String {
        switch scope {
        case .exact: domain
        case .oneLabel: "*.\(domain)"
        case .anyDepth: "*.*.\(domain)"
        }
    }

    /// As a profile names it; nil where it is no DNS name or address, or a wildcard over an address.
    package var inProfile: String? {
        guard let name = HostName(domain), scope == .exact || !name.isIP else { return nil }
        return PinnedPattern(scope, name.text).description
    }
}
