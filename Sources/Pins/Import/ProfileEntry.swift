import Facts

/// One rule of a pinproof profile, as its loader has read it.
///
/// Profiles are YAML, which is another module's to read: what stands above both hands the rules over.
package struct ProfileEntry: Hashable, Sendable {
    /// `example.com`, `*.example.com` or `**.example.com`.
    package var pattern: String
    /// `expect: refuse`: only such a host is pinned.
    package var refuses: Bool
    /// `sha256/…`.
    package var pins: [String]
    /// From 1.
    package var line: Int

    package init(pattern: String, refuses: Bool, pins: [String], line: Int) {
        self.pattern = pattern
        self.refuses = refuses
        self.pins = pins
        self.line = line
    }
}

extension PinFile {
    /// A profile. A host that refuses without pins is pinned by what the profile does not say.
    package init(profile entries: [ProfileEntry], path: String) {
        self.init(path: path, format: .profile)
        hosts = entries.map { entry in
            let pattern = PinnedPattern(entry.pattern)
            let reach: DeclaredHost.Reach =
                switch pattern.scope {
                case .exact: .itself
                case .oneLabel: .children
                case .anyDepth: .descendants
                }
            let pins = entry.refuses ? entry.pins : []
            return DeclaredHost(
                pattern.domain, reach,
                pins: pins.map {
                    DeclaredPin(base64: $0.hasPrefix("sha256/") ? String($0.dropFirst(7)) : $0, line: entry.line)
                },
                isPinned: entry.refuses, pinsKnown: !entry.refuses || !pins.isEmpty, format: .profile, line: entry.line)
        }
    }
}
