extension LintRuleBook {
    /// All rules as a table for documents: `| L2 | no-backup-pin | warning | Only one pin. … | … |`; ends with a line feed.
    package static var markdown: String {
        let rows = entries.map { entry in
            "| \(entry.rule.id) | `\(entry.rule.name)` | \(entry.severity.rawValue) | **\(cell(entry.title)).** "
                + "\(cell(entry.why)) | \(cell(entry.fix)) |\n"
        }
        return "| id | name | severity | what, and what it costs | what to do |\n| --- | --- | --- | --- | --- |\n"
            + rows.joined()
    }

    /// Our own sentences; only what parts cells, and what looks like an element, has to be written otherwise.
    private static func cell(_ text: String) -> String {
        String(text.flatMap { ["|": "&#124;", "<": "&lt;", ">": "&gt;", "*": "&#42;"][$0] ?? String($0) })
    }
}
