import Console
import Report

/// Prints the result: the table, or the JSON report alone, on stdout.
package struct ResultPrinter: Sendable {
    package let console: Console
    package var json: Bool
    package var color: Bool
    /// Box characters are safe to print.
    package var unicode: Bool

    package init(console: Console, json: Bool = false, color: Bool = false, unicode: Bool = true) {
        self.console = console
        self.json = json
        self.color = color
        self.unicode = unicode
    }

    package func show(_ judged: Judged) throws(Complaint) {
        guard !json else {
            return try console.result(String(decoding: JSONReport.bytes(judged.input), as: UTF8.self))
        }
        let table = TableReport(color: color, unicode: unicode)
        try console.result(console.loudness == .quiet ? table.summaryLine(judged.input) : table.text(judged.input))
    }
}
