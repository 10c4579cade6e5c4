import Facts

/// L44: the platform itself refuses the file; a reader stops there.
enum RejectedByPlatform: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L44", "rejected-by-platform", .error, "The platform rejects the file",
        why:
            "What the platform cannot read it does not enforce, or it stops the app: Android and TrustKit throw, others go on without pins. Nothing else in the file was looked at.",
        fix: "Mend what the message names, and lint again.")

    /// What is found is a reader's fault: `PinLint.findings(of:path:)`.
    static func findings(_ context: LintContext) -> [LintFinding] { [] }
}

extension PinLint {
    /// What a reader throws where the platform itself rejects a file, as findings; none where the file is unreadable.
    ///
    /// A pin that is no digest is L1's, on whatever platform. A set of one is rejected, and has no backup as anywhere.
    package static func findings(of fault: PinFileFault, path: String) -> [LintFinding] {
        guard fault.effect != .unreadable else { return [] }
        let rule = rule(of: fault.message)
        let effect = fault.effect == .failsClosed ? "the app fails closed" : "the app fails open"
        let fix = ([LintRuleBook.Entry.fix(of: rule)] + fault.hints).joined(separator: "; ")
        let rejected = LintFinding(
            rule, .error, file: path, line: fault.line ?? 1, host: fault.host,
            "\(Printable.excerpt(fault.message, limit: longestFault)) (\(effect))",
            fix: Printable.excerpt(fix, limit: longestFault))
        guard rule == RejectedByPlatform.entry.rule, wantsBackup(fault.message) else { return [rejected] }
        let backup = LintFinding(
            NoBackupPin.entry.rule, NoBackupPin.entry.severity, file: path, line: rejected.line, host: fault.host,
            "\(LintWords.hosts([fault.host].compactMap(\.self))) has one pin, and no backup: with that key lost or replaced, there is no other to go to",
            fix:
                "make a second key, keep it offline, and add its pin: pinproof pins backup \(fault.host.map { Printable.excerpt($0) } ?? "HOST") --out DIR"
        )
        return [rejected, backup]
    }

    /// Characters; readers' messages are a sentence, with an excerpt of the file.
    private static let longestFault = 500

    private static func words(of message: String) -> [String] {
        message.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Of one pin, where two are needed; a set without any lacks more than a backup.
    private static func wantsBackup(_ message: String) -> Bool {
        let words = words(of: message)
        return words.contains { ["pin", "pins"].contains($0) } && words.contains { ["needs", "wants"].contains($0) }
            && words.contains { ["2", "two"].contains($0) } && !words.contains("no")
    }

    private static func rule(of message: String) -> LintRule {
        let words = words(of: message)
        guard words.contains(where: { $0 == "pin" || $0 == "pins" }) else { return RejectedByPlatform.entry.rule }
        let isOfDigest = words.contains { ["base64", "byte", "bytes", "digest", "hash"].contains($0) }
        return isOfDigest ? MalformedPin.entry.rule : RejectedByPlatform.entry.rule
    }
}

extension LintRuleBook.Entry {
    fileprivate static func fix(of rule: LintRule) -> String {
        let fix = LintRuleBook.entries.first { $0.rule == rule }?.fix ?? ""
        return String(fix.prefix(1).lowercased() + fix.dropFirst()).filter { $0 != "`" }.droppingStop
    }
}

extension String {
    fileprivate var droppingStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
