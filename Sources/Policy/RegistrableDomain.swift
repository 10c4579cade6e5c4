import Facts

/// The part of a name that somebody registered, told without a list of public suffixes.
///
/// Used for wording and never for a verdict: `a.example.co.uk` is taken for a sibling of `b.example.co.uk`, and two
/// customers of one hosting domain for siblings too.
package enum RegistrableDomain {
    /// nil for addresses and for single labels.
    package static func of(_ host: HostName) -> String? {
        guard !host.isIP else { return nil }
        let labels = host.text.split(separator: ".")
        guard labels.count >= 2, let top = labels.last else { return nil }
        // Registries of countries hand out names below a few well-known second levels.
        let isBelowSecondLevel = top.count == 2 && labels.count >= 3 && secondLevels.contains(labels[labels.count - 2])
        return labels.suffix(isBelowSecondLevel ? 3 : 2).joined(separator: ".")
    }

    private static let secondLevels: Set<Substring> = [
        "ac", "co", "com", "edu", "gob", "gov", "mil", "ne", "net", "or", "org",
    ]
}
