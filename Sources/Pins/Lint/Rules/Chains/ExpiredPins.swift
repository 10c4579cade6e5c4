import Facts

/// L7: a pin set that is off, or will be soon.
enum ExpiredPins: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L7", "expired-or-expiring", .error, "The pins have a last day, and it is near or past",
        why:
            "After its day a pin set is off: the app accepts every certificate that the device trusts, and nothing tells you. Users with an old version are unprotected from then on.",
        fix: "Release an app with a later day before it comes, or drop the day and rely on a backup pin.",
        sources: ["https://developer.android.com/privacy-and-security/security-config#pin-set", "TSKTrustKitConfig.h"])

    static let days = 30

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.entriesByPlace.compactMap { entry, hosts -> LintFinding? in
                guard let expires = entry.expires else { return nil }
                let left = expires.daysSince1970 - context.today.daysSince1970
                guard left <= days else { return nil }
                let host = LintWords.single(hosts)
                let fix =
                    "write a later day (\(CalendarDate(daysSince1970: context.today.daysSince1970 + 365)), say) and release an app before \(left > 0 ? expires.description : "anything else")"
                guard left > 0 else {
                    return finding(
                        .error, in: file, line: entry.line, host: host,
                        "the pins of \(LintWords.hosts(hosts)) are off since \(expires): the app accepts every certificate that the device trusts",
                        fix: fix)
                }
                return finding(
                    .warning, in: file, line: entry.line, host: host,
                    "the pins of \(LintWords.hosts(hosts)) are off from \(expires), in \(LintWords.days(left)): the app then accepts every certificate that the device trusts",
                    fix: fix)
            }
        }
    }
}
