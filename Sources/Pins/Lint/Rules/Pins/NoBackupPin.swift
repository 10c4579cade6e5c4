import Facts

/// L2: one key, and no other to go to.
enum NoBackupPin: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L2", "no-backup-pin", .warning, "Only one pin",
        why:
            "When the one key is lost, stolen or replaced, every installed app refuses the server until users have updated. A second pin, of a key that is kept offline, is the way out.",
        fix: "Add the pin of a second key: `pinproof pins backup HOST --out DIR` makes one with a signing request.",
        sources: [
            "RFC 7469 §4.3", "https://developer.android.com/privacy-and-security/security-config#CertificatePinning",
        ])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.entriesByPlace.compactMap { entry, hosts -> LintFinding? in
                guard entry.isEnforced, entry.pinsKnown, let pins = file.effective(of: entry), pins.pinsKnown,
                    let only = onlyPin(pins, of: entry)
                else { return nil }
                return finding(
                    in: file, line: only.line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) has one pin, \(LintWords.pin(only)), and no backup: \(cost(entry.format))",
                    fix: context.isKnownCA(only)
                        ? "pin a second CA that you have an account with, or the key of your own leaf"
                        : "make a second key, keep it offline, and add its pin: pinproof pins backup \(hosts.first ?? "HOST") --out DIR"
                )
            }
        }
    }

    /// The leaf's one key; a list of CAs beside it is no way out, as both have to match.
    private static func onlyPin(_ pins: EffectivePins, of entry: DeclaredHost) -> DeclaredPin? {
        let leaf = pins.pins(.leaf)
        let counted = pins.combination == .everyList && !leaf.isEmpty ? leaf : pins.pins
        let valid = counted.filter { $0.digest != nil }
        guard Set(valid.map(\.digest)).count == 1, let only = valid.first else { return nil }
        return entry.pins.first { $0.digest == only.digest } ?? only
    }

    private static func cost(_ format: PinFormat) -> String {
        switch format {
        case .trustKit: "TrustKit throws as the app starts where pins are enforced and there is one only"
        case .hpkp: "browsers ignore a header without a backup (RFC 7469 §2.5)"
        default: "with that key lost or replaced, every installed app is locked out"
        }
    }
}
