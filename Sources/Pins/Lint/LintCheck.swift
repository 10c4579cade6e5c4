import Facts

/// One rule: what it is, and where it finds something.
protocol LintCheck: Sendable {
    static var entry: LintRuleBook.Entry { get }
    /// In any order; a finding's severity may differ from the entry's.
    static func findings(_ context: LintContext) -> [LintFinding]
}

extension LintCheck {
    static func finding(
        _ severity: LintFinding.Severity? = nil, in file: LintFile, line: Int, host: String? = nil, _ text: String,
        fix: String
    ) -> LintFinding {
        LintFinding(
            entry.rule, severity ?? entry.severity, file: file.path, line: line, host: host,
            Printable.excerpt(text, limit: longestText), fix: Printable.excerpt(fix, limit: longestText))
    }

    /// Characters: what is longer has a host's name of the wrong kind in it.
    private static var longestText: Int { 1000 }
}

/// A rule that only tells of a setting which a reader has found.
protocol SettingCheck: LintCheck {
    static var kinds: [PinSetting.Kind] { get }
    /// What it costs, after "line says …: ".
    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String?
    static func fix(_ setting: PinSetting) -> String
    /// Of the finding; nil: none that is known.
    static func host(_ setting: PinSetting, _ context: LintContext) -> String?
    static func severity(_ setting: PinSetting) -> LintFinding.Severity?
    /// Files of debug builds may have it.
    static var sparesDebugFiles: Bool { get }
}

extension SettingCheck {
    static var sparesDebugFiles: Bool { true }

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.files.flatMap { file -> [LintFinding] in
            guard !(sparesDebugFiles && file.isForDebugging) else { return [] }
            return file.settings.compactMap { setting in
                guard kinds.contains(setting.kind), let cost = cost(setting, context, file) else { return nil }
                return finding(
                    severity(setting), in: file, line: setting.line, host: host(setting, context),
                    "\(Printable.excerpt(setting.text))\(setting.host.map { " for \(Printable.excerpt($0))" } ?? ""): \(cost)",
                    fix: fix(setting))
            }
        }
    }

    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
    static func host(_ setting: PinSetting, _ context: LintContext) -> String? { setting.host }
}
