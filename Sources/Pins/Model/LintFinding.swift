/// What a linter says of one place (design: a rule's id and name never change).
package struct LintFinding: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable, Comparable {
        case note, warning, error

        private var rank: Int { self == .error ? 2 : self == .warning ? 1 : 0 }
        package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    }

    package var rule: LintRule
    package var severity: Severity
    package var file: String
    /// From 1.
    package var line: Int
    package var host: String?
    package var text: String
    /// What to do.
    package var fix: String

    package init(
        _ rule: LintRule, _ severity: Severity, file: String, line: Int, host: String? = nil, _ text: String,
        fix: String
    ) {
        self.rule = rule
        self.severity = severity
        self.file = file
        self.line = line
        self.host = host
        self.text = text
        self.fix = fix
    }
}
