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
    /// What a reader throws where the platform itself rejects a file, as a finding; nil where the file is unreadable.
    ///
    /// A set that needs a second pin is L2's as well, with the severity that it has everywhere.
    package static func findings(of fault: PinFileFault, path: String) -> [LintFinding] {
        guard var finding = finding(of: fault, path: path) else { return [] }
        guard finding.rule == NoBackupPin.entry.rule else { return [finding] }
        var rejected = finding
        rejected.rule = RejectedByPlatform.entry.rule
        finding.severity = NoBackupPin.entry.severity
        return [rejected, finding]
    }

    /// A pin that is no digest is L1's, and a set that needs a second pin is L2's, on whatever platform.
    static func finding(of fault: PinFileFault, path: String) -> LintFinding? {
        guard fault.effect != .unreadable else { return nil }
        let rule = rule(of: fault.message)
        let effect = fault.effect == .failsClosed ? "the app fails closed" : "the app fails open"
        let fix = ([LintRuleBook.Entry.fix(of: rule)] + fault.hints).joined(separator: "; ")
        return LintFinding(
            rule, .error, file: path, line: fault.line ?? 1,
            "\(Printable.excerpt(fault.message, limit: longestFault)) (\(effect))",
            fix: Printable.excerpt(fix, limit: longestFault))
    }

    /// Characters; readers' messages are a sentence, with an excerpt of the file.
    private static let longestFault = 500

    private static func rule(of message: String) -> LintRule {
        let words = message.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard words.contains(where: { $0 == "pin" || $0 == "pins" }) else { return RejectedByPlatform.entry.rule }
        if words.contains("needs"), words.contains(where: { $0 == "2" || $0 == "two" }) {
            return NoBackupPin.entry.rule
        }
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
