import Facts

/// L33: pins that end while the app's version is still in use.
enum ExpiresBeforeSupport: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L33", "expires-before-support-ends", .warning, "The pins end before the app's support does",
        why:
            "Users stay on a version for as long as you support it, and longer. From the pin set's day on, that version is unpinned.",
        fix: "Write a day after the end of support.")

    static func findings(_ context: LintContext) -> [LintFinding] {
        guard let end = context.situation.supportEnds else { return [] }
        return context.pinFiles.flatMap { file in
            file.entriesByPlace.compactMap { entry, hosts -> LintFinding? in
                guard let expires = entry.expires, expires <= end, expires > context.today else { return nil }
                return finding(
                    in: file, line: entry.line, host: LintWords.single(hosts),
                    "the pins of \(LintWords.hosts(hosts)) are off from \(expires), and the app is supported until \(end): it is unpinned for \(LintWords.days(end.daysSince1970 - expires.daysSince1970 + 1))",
                    fix: "write \(CalendarDate(daysSince1970: end.daysSince1970 + 1)) or later")
            }
        }
    }
}
