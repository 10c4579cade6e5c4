import Report

/// Tells the outcome: the table, or the JSON report alone, on stdout.
public struct Outcome: Sendable {
    public let console: Console
    public var json: Bool
    public var color: Bool
    /// Box characters are safe to print.
    public var unicode: Bool

    public init(console: Console, json: Bool = false, color: Bool = false, unicode: Bool = true) {
        self.console = console
        self.json = json
        self.color = color
        self.unicode = unicode
    }

    public func show(_ judged: Judged) {
        guard !json else {
            return console.result(String(decoding: JSONReport.bytes(judged.input), as: UTF8.self))
        }
        let table = TableReport(color: color, unicode: unicode)
        console.result(console.loudness == .quiet ? table.summaryLine(judged.input) : table.text(judged.input))
    }
}
