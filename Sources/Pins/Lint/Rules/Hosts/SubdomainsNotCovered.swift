/// L9: the entry is for the domain alone, and the app talks to what lies below it.
enum SubdomainsNotCovered: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L9", "subdomains-not-covered", .warning, "Subdomains are not covered by the pins",
        why:
            "Without its flag for subdomains an entry is for that one name. A host below it is not pinned at all, and nothing tells you.",
        fix: "Set the flag (includeSubdomains, NSIncludesSubdomains, kTSKIncludeSubdomains), or name the host.",
        sources: ["ApplicationConfig.getConfigForHostname (AOSP)", "TSKTrustKitConfig.h"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.appFiles.flatMap { file in
            let uncovered = UncoveredHosts.of(file, context).filter { $0.nearest.reach == .itself }
            let named = Set(uncovered.map(\.nearest))
            return uncovered.map { found in
                finding(
                    LintWords.isOfDevelopment(found.host) ? .note : nil, in: file, line: found.nearest.line,
                    host: found.host,
                    "\(found.host) (\(found.reason)) is not pinned: the entry is for \(found.nearest.name) alone",
                    fix: fix(found.host, found.nearest))
            }
                + lonelyDomains(file, context).filter { !named.contains($0) }.map { entry in
                    finding(
                        in: file, line: entry.line, host: entry.domain,
                        "only \(entry.name) itself is pinned: if the app talks to a name below it, such as api.\(entry.name), that one is not",
                        fix: "if it does, " + fix("each such name", entry))
                }
        }
    }

    /// A registered domain without its flag, and nothing below it: apps mostly talk to `api.` or the like. A full name,
    /// `api.example.com`, is one that somebody chose, and is left alone.
    private static func lonelyDomains(_ file: LintFile, _ context: LintContext) -> [DeclaredHost] {
        guard context.profiles.isEmpty, context.situation.hosts.isEmpty, context.situation.chains.isEmpty else {
            return []
        }
        return file.hosts.filter { entry in
            guard entry.isPinned, entry.reach == .itself, let domain = entry.domain else { return false }
            let isRegistered =
                !PublicSuffixes.contains(domain)
                && LintFile.parents(of: domain).first.map(PublicSuffixes.contains) ?? false
            return isRegistered && !file.pinsBelow(domain)
                && [.androidNSC, .appleATS, .trustKit, .cronet].contains(entry.format)
        }
    }

    private static func fix(_ host: String, _ entry: DeclaredHost) -> String {
        switch entry.format {
        case .androidNSC: "write includeSubdomains=\"true\" at <domain>, or add a <domain> for \(host)"
        case .appleATS: "set NSIncludesSubdomains to true (one label more), or add an entry for \(host)"
        case .trustKit: "set kTSKIncludeSubdomains to true, or add an entry for \(host)"
        case .okHttp: "write **.\(entry.domain ?? host), or add \(host)"
        default: "add an entry for \(host)"
        }
    }
}
