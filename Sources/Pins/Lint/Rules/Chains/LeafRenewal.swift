import Facts

/// L32: a pin of a leaf whose key somebody else makes.
enum ManagedLeaf: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L32", "managed-leaf", .warning, "The pinned leaf is managed by a cloud or a CDN",
        why:
            "Where a cloud or a CDN manages the certificate, it makes a new key at each renewal, and may change the CA. The pin ends on a day that you do not choose.",
        fix: "Pin the provider's roots, or bring a certificate and key of your own.",
        sources: [
            "https://docs.aws.amazon.com/acm/latest/userguide/troubleshooting-pinning.html",
            "https://developers.cloudflare.com/ssl/reference/certificate-pinning/",
        ])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.pinsByPlace.compactMap { pin, hosts -> LintFinding? in
                guard let leaf = context.pinnedLeaf(pin, hosts), let event = event(leaf) else { return nil }
                return finding(
                    in: file, line: pin.line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) is pinned to the leaf's key, and its certificate is from \(Printable.excerpt(DistinguishedName(leaf.issuer).label)) until \(leaf.notAfter): \(event.text)",
                    fix: event.fix)
            }
        }
    }

    static func event(_ leaf: GenuineCertificate) -> CAEvent? {
        CACalendar.events.first { $0.kind == .managed && $0.concerns(issuer: leaf.issuer) }
    }
}

/// L38: a leaf's key that has to be kept at each of many renewals.
enum ShortLivedLeaf: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L38", "short-lived-leaf", .note, "A pinned leaf is renewed often",
        why:
            "ACME clients make a new key at each renewal unless told otherwise. With certificates of 90 days and less, the first forgotten renewal locks users out.",
        fix:
            "Keep the key: `certbot --reuse-key`, acme.sh without --always-force-new-domain-key, or a CSR of your own.",
        sources: ["https://eff-certbot.readthedocs.io/en/stable/using.html", "CA/Browser Forum ballot SC-081v3"])

    /// Days; SC-081v3 makes it the most that there is from 2027-03-15 on.
    static let short = 100

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.pinsByPlace.compactMap { pin, hosts -> LintFinding? in
                guard pin.kind.isOfKey, let leaf = context.pinnedLeaf(pin, hosts), leaf.lifetime <= short,
                    ManagedLeaf.event(leaf) == nil
                else { return nil }
                return finding(
                    in: file, line: pin.line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) is pinned to the leaf's key, and its certificate lives for \(LintWords.days(leaf.lifetime)), until \(leaf.notAfter): a renewal with a new key locks users out",
                    fix: "keep the key at renewals (certbot --reuse-key), and rehearse the next one: pinproof rehearse")
            }
        }
    }
}

extension LintContext {
    /// The leaf of a host's chain that this pin is of.
    fileprivate func pinnedLeaf(_ pin: DeclaredPin, _ hosts: [String]) -> GenuineCertificate? {
        chains(near: hosts).lazy.compactMap(\.chain.first).first { $0.role == .leaf && $0.matches(pin) == true }
    }
}
