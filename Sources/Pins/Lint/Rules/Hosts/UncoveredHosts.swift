import Facts

/// Hosts that somebody names below a pinned domain of a file, and that its pins leave out.
struct UncoveredHosts {
    let host: String
    /// Where the name is from.
    let reason: String
    /// The pinned entry of the longest domain that the host is, or lies below.
    let nearest: DeclaredHost

    static func of(_ file: LintFile, _ context: LintContext) -> [UncoveredHosts] {
        guard !file.pinnedDomains.isEmpty else { return [] }
        return names(file, context).compactMap { host, reason in
            guard let nearest = file.nearestPinned(host), !file.isPinned(host), !context.isKnownUnpinned(host) else {
                return nil
            }
            // An entry of its own takes it out of a wider one, which is another rule's, or says so on purpose.
            guard file.effective(host).isEmpty || nearest.reach == .itself && nearest.domain != host else { return nil }
            return UncoveredHosts(host: host, reason: reason, nearest: nearest)
        }
    }

    /// Each once, sorted, with where it is from.
    private static func names(_ file: LintFile, _ context: LintContext) -> [(String, String)] {
        var names: [String: String] = [:]
        for (host, path) in context.namedHosts {
            names[host] = "named in \(Printable.excerpt(path))"
        }
        for host in file.settings.compactMap(\.host) + file.file.namedHosts { names[host] = "named in this file" }
        for host in file.hosts.filter({ !$0.isPinned }).compactMap(\.domain) {
            names[host] = "has an entry without pins"
        }
        for host in context.situation.chains.keys { names[host] = "its chain was given" }
        for host in context.situation.hosts { names[host] = "the app talks to it" }
        for entry in context.profiles.flatMap(\.hosts) where entry.isPinned && entry.reach.contains(.itself) {
            if let domain = entry.domain { names[domain] = "pinned in the profile" }
        }
        return names.sorted { $0.key < $1.key }.prefix(LintContext.hostLimit).map { ($0.key, $0.value) }
    }
}
