import Facts

/// L6: what a pin of a public root costs, and what it protects from.
enum BroadPublicRoot: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L6", "broad-public-root", .note, "A public root is pinned",
        why:
            "Each level has its price. The leaf's key protects from every CA, and has to be kept or announced at each renewal. An intermediate's protects from other CAs, and changes when the CA likes, often without notice. A root's protects from all other CAs, lives for years and survives renewals; whoever gets a certificate for your name from that CA passes. For a team that renews automatically, roots of two CAs are a reasonable choice.",
        fix:
            "Nothing, if that is what you mean. To narrow it without touching the app: CAA records with an account (RFC 8657), and an eye on Certificate Transparency.",
        sources: ["RFC 7469 §4.2", "RFC 8657"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.pinsByPlace.compactMap { pin, hosts -> LintFinding? in
                guard pin.kind == .spkiSHA256, let digest = pin.digest, let root = KnownRoot.of(key: digest) else {
                    return nil
                }
                return finding(
                    in: file, line: pin.line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) is pinned to \(root.name), a public root of \(root.organisation): it protects from every other CA and survives renewals; any certificate for the name that this CA issues passes",
                    fix:
                        "nothing if you mean it; a CAA record with your account (RFC 8657) narrows it without a new app, and the leaf's own key is stricter, for the price of keeping it at each renewal"
                )
            }
        }
    }
}
