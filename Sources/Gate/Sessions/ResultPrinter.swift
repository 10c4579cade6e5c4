import Console
import Report

/// Prints the result: the table, or the JSON report alone, on stdout.
package struct ResultPrinter: Sendable {
    package let console: Console
    package var json: Bool
    package var color: Bool
    /// Box characters are safe to print.
    package var unicode: Bool
    /// GitHub Actions reads what is printed: a line more for each thing that is wrong.
    package var annotates: Bool
    /// Of the terminal that it goes to.
    package var columns: Int

    package init(
        console: Console, json: Bool = false, color: Bool = false, unicode: Bool = true, annotates: Bool = false,
        columns: Int = TableReport.widest
    ) {
        self.columns = columns
        self.console = console
        self.json = json
        self.color = color
        self.unicode = unicode
        self.annotates = annotates
    }

    package func show(_ judged: Judged) throws(Complaint) {
        let annotations = annotates ? GitHubAnnotations.lines(judged.input) : []
        guard !json else {
            try console.result(String(decoding: JSONReport.bytes(judged.input), as: UTF8.self))
            // stdout is the report alone; the runner reads both streams.
            for line in annotations { console.warn(line) }
            return
        }
        let table = TableReport(color: color, unicode: unicode, columns: columns)
        let text = console.loudness == .quiet ? table.summaryLine(judged.input) : table.text(judged.input)
        try console.result(annotates ? Self.withoutCommands(text) : text)
        if !annotations.isEmpty { try console.result(annotations.joined(separator: "\n") + "\n") }
    }

    /// What changed, and nothing else.
    package func show(_ comparison: RunComparison) throws(Complaint) {
        try console.result(ComparisonText(color: color, unicode: unicode, columns: columns).text(comparison))
    }

    /// A runner takes every line that begins with two colons, blanks aside, for a command: none of ours does by chance, or
    /// because a client has such a name.
    static func withoutCommands(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let first = line.firstIndex(where: { $0 != " " }), line[first...].hasPrefix("::") else {
                return String(line)
            }
            return line[..<first] + ": " + line[first...].dropFirst()
        }.joined(separator: "\n")
    }
}
