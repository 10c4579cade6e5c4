import Facts
import Verdict

// MARK: type and colour

extension TableReport {
    enum Tone: String {
        case none = ""
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case strongRed = "1;31"
        case strongGreen = "1;32"
        case strongYellow = "1;33"

        var strong: Tone {
            switch self {
            case .red: .strongRed
            case .green: .strongGreen
            case .yellow: .strongYellow
            default: self
            }
        }
    }

    var type: TerminalText { TerminalText(unicode: unicode) }

    /// Colours what is visible and pads after it, so that escape sequences never count as columns.
    func paint(_ tone: Tone, _ text: String, _ width: Int = 0) -> String {
        let padding = String(repeating: " ", count: max(0, width - text.count))
        guard color, tone != .none, !text.isEmpty, text != " " else { return text + padding }
        return "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m" + padding
    }

    /// Cells with gaps of two, without blanks at the end of the line.
    func trimmed(_ cells: [String]) -> String {
        var line = Substring(cells.joined(separator: "  "))
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    func mark(of standing: Standing) -> String {
        switch standing {
        case .met: unicode ? "✓" : "+"
        case .contradicted: unicode ? "✗" : "x"
        case .invalid: "!"
        case .unproven: "?"
        }
    }

    func tone(of standing: Standing) -> Tone {
        switch standing {
        case .met: .strongGreen
        case .contradicted, .invalid: .strongRed
        case .unproven: .strongYellow
        }
    }
}

extension Finding.Severity {
    var tone: TableReport.Tone {
        switch self {
        case .error: .strongRed
        case .warning: .strongYellow
        case .note: .dim
        }
    }
}
