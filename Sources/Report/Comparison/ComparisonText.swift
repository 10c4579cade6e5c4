import Facts

/// A comparison for the terminal: a heading a host, a line a change.
package struct ComparisonText: Sendable {
    package var color: Bool
    package var unicode: Bool
    package var columns: Int

    package init(color: Bool = false, unicode: Bool = true, columns: Int = TableReport.widest) {
        self.color = color
        self.unicode = unicode
        self.columns = TableReport.fitting(columns)
    }

    package func text(_ comparison: RunComparison) -> String {
        var lines = [
            side("from", comparison.before), side("to", comparison.after), [""],
            type.wrap(comparison.summary, columns).map { paint("1", $0) },
        ].flatMap(\.self)
        for group in comparison.groups {
            lines += [""]
            lines += type.wrap(group.host.isEmpty ? "the run as a whole" : group.host, columns).map { paint("1", $0) }
            for change in group.changes where !isFolded(change) { lines += self.lines(change) }
            lines += folded(group.changes)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var type: TerminalText { TerminalText(unicode: unicode) }

    private func side(_ word: String, _ side: RunComparison.Side) -> [String] {
        let text = "\(side.run): \(side.result.rawValue), \(side.started)"
        return type.wrap(text, columns - 6).enumerated().map {
            ($0.offset == 0 ? word : "").padded(to: 4) + "  " + $0.element
        }
    }

    /// What is neither worse nor better, and would fill the screen: attacks that only one run has, and notes.
    private func isFolded(_ change: RunComparison.Change) -> Bool { Fold.of(change) != nil }

    private enum Fold: String, CaseIterable {
        case tried = "tried now", untried = "not tried any more"
        case noted = "new notes", unnoted = "notes gone"

        static func of(_ change: RunComparison.Change) -> Fold? {
            guard change.turn == nil else { return nil }
            if change.what == "finding" { return change.after == "gone" ? .unnoted : .noted }
            guard change.what.hasPrefix("attack ") else { return nil }
            if change.before == ChangeList.untried { return .tried }
            return change.after == ChangeList.untried ? .untried : nil
        }

        func words(_ change: RunComparison.Change) -> String {
            switch self {
            case .tried: "\(change.what.dropFirst("attack ".count)) (\(change.after))"
            case .untried: "\(change.what.dropFirst("attack ".count))"
            case .noted: change.after
            case .unnoted: change.before
            }
        }
    }

    private func folded(_ changes: [RunComparison.Change]) -> [String] {
        Fold.allCases.flatMap { fold -> [String] in
            let words = changes.filter { Fold.of($0) == fold }.map(fold.words)
            guard !words.isEmpty else { return [] }
            return type.wrap("\(fold.rawValue): \(words.joined(separator: ", "))", columns - 10).map {
                "          " + $0
            }
        }
    }

    private func lines(_ change: RunComparison.Change) -> [String] {
        let (word, tone): (String, String) =
            switch change.turn {
            case .worse: ("worse", "1;31")
            case .better: ("better", "1;32")
            case nil: ("", "")
            }
        let arrow = unicode ? "→" : "->"
        let before = change.before.isEmpty ? "" : "\(change.before) "
        let text = "\(change.what): \(before)\(arrow) \(change.after.isEmpty ? "none" : change.after)"
        return type.wrap(text, columns - 10).enumerated().map { index, line in
            "  " + (index == 0 ? paint(tone, word) + String(repeating: " ", count: 8 - word.count) : "        ") + line
        }
    }

    private func paint(_ tone: String, _ text: String) -> String {
        color && !tone.isEmpty && !text.isEmpty ? "\u{1b}[\(tone)m\(text)\u{1b}[0m" : text
    }
}
