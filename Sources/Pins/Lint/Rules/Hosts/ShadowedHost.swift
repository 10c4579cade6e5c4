/// L10: a `domain-config` without pins takes a host out of its parent's.
enum ShadowedHost: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L10", "shadowed-by-sibling", .warning, "An entry without pins shadows one with pins",
        why:
            "Android applies one domain-config to a host: that of the longest domain. A sibling that only allows clear text or adds an anchor takes its hosts out of the pins of the parent domain. Nested in the pinned one, it inherits them.",
        fix:
            "Nest the domain-config in the pinned one, or give it a pin-set; list the host as expected to be unpinned where you mean it.",
        sources: ["ApplicationConfig.getConfigForHostname (AOSP)"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.appFiles.filter { $0.format == .androidNSC || $0.format == .cronet }.flatMap { file in
            let pinned = file.hosts.filter { $0.isPinned && $0.reach.contains(.descendants) }
            let domains = Dictionary(pinned.map { ($0.domain ?? "", $0) }, uniquingKeysWith: { first, _ in first })
            return file.hosts.compactMap { entry -> LintFinding? in
                guard !entry.isPinned, let host = entry.domain, let parent = parent(host, domains),
                    let sample = entry.sample, !file.isPinned(sample), !context.isKnownUnpinned(host)
                else { return nil }
                let isMeant = LintWords.isOfDevelopment(host)
                return finding(
                    isMeant ? .note : nil, in: file, line: entry.line, host: host,
                    "\(entry.name) has an entry of its own without pins, so the pins of \(parent.name) (line \(parent.line)) do not hold there",
                    fix:
                        "nest this domain-config in the one of line \(parent.line), which inherits its pins, or list \(host) as unpinned in the profile if you mean it"
                )
            }
        }
    }

    /// Of the longest domain above it.
    private static func parent(_ host: String, _ pinned: [String: DeclaredHost]) -> DeclaredHost? {
        LintFile.parents(of: host).lazy.compactMap { pinned[$0] }.first
    }
}
