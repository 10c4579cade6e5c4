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
                guard entry.isEnforced, entry.pinsKnown, let pins = pins(of: entry, file), pins.pinsKnown,
                    let only = onlyPin(pins, of: entry)
                else { return nil }
                let has = hosts.count > 1 ? "have" : "has"
                return finding(
                    in: file, line: only.pin.line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) \(has) one pin\(only.place), \(LintWords.pin(only.pin)), and no backup: \(cost(entry.format))",
                    fix: context.isKnownCA(only.pin)
                        ? caFix(only.place)
                        : "make a second key, keep it offline, and add its pin: pinproof pins backup \(hosts.first ?? "HOST") --out DIR"
                )
            }
        }
    }

    /// Of a host that is a constant from elsewhere, those of this entry: whatever it is called, it has this list.
    private static func pins(of entry: DeclaredHost, _ file: LintFile) -> EffectivePins? {
        entry.domain == nil ? EffectivePins(format: entry.format, entries: [entry]) : file.effective(of: entry)
    }

    /// The one key of a list that has to match; Apple's other list beside it is no way out, as both have to.
    private static func onlyPin(
        _ pins: EffectivePins, of entry: DeclaredHost
    ) -> (pin: DeclaredPin, place: String)? {
        for list in pins.lists {
            let valid = list.pins.filter { $0.digest != nil }
            guard Set(valid.map(\.digest)).count == 1, let only = valid.first else { continue }
            return (entry.pins.first { $0.digest == only.digest && $0.part == only.part } ?? only, list.place)
        }
        return nil
    }

    private static func caFix(_ place: String) -> String {
        place.isEmpty
            ? "pin a second CA that you have an account with, or the key of your own leaf"
            : "add a second CA that you have an account with to NSPinnedCAIdentities, or drop that list: both have to match"
    }

    private static func cost(_ format: PinFormat) -> String {
        switch format {
        case .trustKit: "TrustKit throws as the app starts where pins are enforced and there is one only"
        case .hpkp: "browsers ignore a header without a backup (RFC 7469 §2.5)"
        default: "with that key lost or replaced, every installed app is locked out"
        }
    }
}
