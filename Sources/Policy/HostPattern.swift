import Facts

/// A host name or a wildcard of a profile: `api.example.com`, `*.example.com`.
///
/// `*.` stands for exactly one label, `**.` for one or more. The most specific pattern that matches a host wins.
package struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    package enum Scope: Int, Hashable, Sendable, Comparable {
        case anyDepth, oneLabel, exact
        package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    package let scope: Scope
    /// The name without its wildcard.
    package let base: HostName

    package init?(_ text: some StringProtocol) {
        let text = Substring(text)
        let (scope, rest): (Scope, Substring) =
            text.hasPrefix("**.")
            ? (.anyDepth, text.dropFirst(3)) : text.hasPrefix("*.") ? (.oneLabel, text.dropFirst(2)) : (.exact, text)
        guard let base = HostName(rest), scope == .exact || !base.isIP else { return nil }
        self.scope = scope
        self.base = base
    }

    package init(exactly host: HostName) {
        scope = .exact
        base = host
    }

    package func matches(_ host: HostName) -> Bool {
        switch scope {
        case .exact: return host == base
        case .oneLabel, .anyDepth:
            guard !host.isIP, host.text.utf8.count > base.text.utf8.count + 1, host.text.hasSuffix("." + base.text)
            else { return false }
            return scope == .anyDepth || !host.text.dropLast(base.text.count + 1).contains(".")
        }
    }

    /// Whether a certificate with this as its name is one for the host: a star stands for one label alone there (RFC 9525 §6.3).
    package func isCertificateName(of host: HostName) -> Bool {
        matches(host) && (scope != .anyDepth || !host.text.dropLast(base.text.count + 1).contains("."))
    }

    /// Exact before `*.` before `**.`; among wildcards the longer base first.
    package func isMoreSpecific(than other: HostPattern) -> Bool {
        if scope == .exact || other.scope == .exact { return scope > other.scope }
        let (mine, theirs) = (base.text.utf8.count, other.base.text.utf8.count)
        return mine != theirs ? mine > theirs : scope > other.scope
    }

    package var description: String {
        switch scope {
        case .exact: base.text
        case .oneLabel: "*." + base.text
        case .anyDepth: "**." + base.text
        }
    }
}
