import Facts

/// L8: a host of the app that no entry takes in, though it looks as if one did.
enum HostNotCovered: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L8", "host-not-covered", .warning, "A host is not covered by the pins",
        why:
            "Wildcards differ: OkHttp's *. and Apple's NSIncludesSubdomains take in exactly one label more, OkHttp's *. not the domain itself, Alamofire nothing but the exact name. A host outside is not pinned at all, and nothing tells you.",
        fix: "Name the host, or use the pattern of the platform that takes it in.",
        sources: ["CertificatePinner.findMatchingPins (OkHttp)", "parseNSPinnedDomains (SecPolicy.c)"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        let pinned = context.appFiles.filter { $0.hosts.contains { $0.isPinned && $0.domain != nil } }
        return pinned.flatMap { file in
            UncoveredHosts.of(file, context).filter { $0.nearest.reach != .itself }.map { found in
                finding(
                    in: file, line: found.nearest.line, host: found.host,
                    "\(found.host) (\(found.reason)) is not pinned: \(found.nearest.name) \(limit(found.nearest))",
                    fix: fix(found.host, found.nearest))
            } + bareDomains(file, context)
        } + ofProfiles(pinned, context)
    }

    private static func limit(_ entry: DeclaredHost) -> String {
        entry.reach.contains(.descendants)
            ? "does not take it in" : "takes in exactly one label more"
    }

    private static func fix(_ host: String, _ entry: DeclaredHost) -> String {
        switch entry.format {
        case .okHttp: "write **.\(entry.domain ?? host), which takes in the domain and every depth, or add \(host)"
        case .appleATS: "add an entry for \(host), or for the domain right above it with NSIncludesSubdomains"
        default: "add an entry for \(host)"
        }
    }

    /// A pattern for what lies below a domain, and nothing for the domain: mostly forgotten.
    private static func bareDomains(_ file: LintFile, _ context: LintContext) -> [LintFinding] {
        file.hosts.filter(\.isPinned).compactMap { entry in
            guard let domain = entry.domain, !entry.reach.isEmpty, !entry.reach.contains(.itself), domain.contains("."),
                file.effective(domain).isEmpty, context.profiles.isEmpty, context.situation.hosts.isEmpty
            else { return nil }
            return finding(
                in: file, line: entry.line, host: domain,
                "if the app talks to \(domain) itself, that one is not pinned: \(entry.name) takes in only what lies below it",
                fix: "if it does, add \(domain)"
                    + (entry.format == .okHttp ? ", or write **.\(domain)" : ""))
        }
    }

    /// Hosts that a profile expects to be pinned, and no file of the app names in any way.
    private static func ofProfiles(_ pinned: [LintFile], _ context: LintContext) -> [LintFinding] {
        guard !pinned.isEmpty else { return [] }
        return context.profiles.flatMap { profile in
            profile.hosts.compactMap { entry -> LintFinding? in
                guard entry.isPinned, entry.reach.contains(.itself), let domain = entry.domain,
                    !pinned.contains(where: { $0.isPinned(domain) || $0.nearestPinned(domain) != nil })
                else { return nil }
                return finding(
                    in: profile, line: entry.line, host: domain,
                    "\(domain) is pinned in the profile, and in none of the app's files",
                    fix: "add it to the app's pins, or expect it to be unpinned in the profile")
            }
        }
    }
}
