import Facts

/// The findings for a person at a terminal: by file, errors first, and a line of sums.
package enum LintText {
    /// - Parameters:
    ///   - files: how many were looked at.
    ///   - width: of the terminal, in columns; a pin is longer than some, and is broken then.
    /// Ends with a line feed.
    package static func text(_ findings: [LintFinding], files: Int, width: Int) -> String {
        let width = max(narrowest, width)
        var lines: [String] = []
        for path in Set(findings.map(\.file)).sorted() {
            lines.append(Printable.escaped(path))
            for finding in findings.filter({ $0.file == path }).sorted(by: precedes) {
                lines += TextLines.hanging(head(finding), finding.text, width, indent: indent)
                lines += TextLines.hanging(
                    String(repeating: " ", count: indent) + "fix: ", finding.fix, width, indent: indent + 5)
            }
            lines.append("")
        }
        return (lines + TextLines.wrap(sums(findings, files), width)).joined(separator: "\n") + "\n"
    }

    private static let narrowest = 40
    private static let indent = 6

    private static func head(_ finding: LintFinding) -> String {
        "  \(finding.line): \(finding.severity.rawValue) \(finding.rule.id) \(finding.rule.name): "
    }

    /// The worst first, then by line.
    private static func precedes(_ a: LintFinding, _ b: LintFinding) -> Bool {
        if a.severity != b.severity { return a.severity > b.severity }
        return a.line < b.line
    }

    /// `2 errors, 1 warning and 3 notes in 4 files`.
    static func sums(_ findings: [LintFinding], _ files: Int) -> String {
        let place = English.count(files, "file")
        guard !findings.isEmpty else { return "nothing found in \(place)" }
        let counts = [("error", LintFinding.Severity.error), ("warning", .warning), ("note", .note)].compactMap {
            word, severity in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : English.count(count, word)
        }
        return "\(English.list(counts)) in \(place)"
    }
}
