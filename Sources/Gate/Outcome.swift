import Report

/// Tells the outcome: the table, or the JSON report alone, on stdout.
struct Outcome: Sendable {
    let console: Console
    var json = false
    var color = false
    var unicode = true

    func show(_ input: ReportInput) {
        guard !json else { return console.result(String(decoding: JSONReport.bytes(input), as: UTF8.self)) }
        let table = TableReport(color: color, unicode: unicode, columns: TableReport.widest)
        console.result(console.loudness == .quiet ? table.summaryLine(input) : table.text(input))
    }
}
