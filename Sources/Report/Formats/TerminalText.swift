import Facts

/// Text for a terminal in which every character takes exactly one column.
package struct TerminalText {
    /// False: ASCII only.
    package var unicode: Bool

    package init(unicode: Bool = true) { self.unicode = unicode }

    /// `text` with everything escaped that could move the cursor or take no column or two. Hosts, reasons and alert
    /// names may come from a client, so nothing is printed that has not been through here.
    func safe(_ text: String) -> String {
        let plain = unicode ? text : String(text.unicodeScalars.map { Self.asASCII[$0] ?? String($0) }.joined())
        return Printable.escaped(plain) { $0.value < 0x7f ? $0.value >= 0x20 : unicode && Self.isNarrow($0) }
    }

    /// Lines of at most `width` columns, broken at blanks, and inside a word only where it is longer than a line.
    package func wrap(_ text: String, _ width: Int) -> [String] {
        let width = max(1, width)
        var lines: [[Character]] = []
        var line: [Character] = []
        for word in safe(text).split(separator: " ") {
            // A slice, so that a word of a megabyte costs a megabyte and not its square.
            var word = Array(word)[...]
            if !line.isEmpty, line.count + 1 + word.count <= width {
                line.append(" ")
                line += word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while word.count > width {
                // After a separator if there is one in the second half, so that host names stay readable.
                let head = word.prefix(width)
                let cut =
                    head.suffix((width + 1) / 2).lastIndex { ".,/:-".contains($0) }.map { $0 + 1 } ?? head.endIndex
                lines.append(Array(word[..<cut]))
                word = word[cut...]
            }
            line = Array(word)
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { Self.harmless(String($0)) }
    }

    /// CI systems take a line for a command of theirs that begins with `::word ...::`, `##[word]` or `##vso[...]`: such a line
    /// loses its first character.
    private static func harmless(_ line: String) -> String {
        let isGitHubs = line.hasPrefix("::") && line.dropFirst(2).contains("::")
        return isGitHubs || line.hasPrefix("##[") || line.hasPrefix("##vso[") ? String(line.dropFirst()) : line
    }

    /// A host name over several lines, broken before dots; a label that is longer than a line is shortened.
    func wrapHost(_ host: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for (index, label) in safe(host).split(separator: ".", omittingEmptySubsequences: false).enumerated() {
            let piece = shorten(index == 0 ? String(label) : ".\(label)", width)
            if let last = lines.last, last.count + piece.count <= width {
                lines[lines.count - 1] = last + piece
            } else {
                lines.append(piece)
            }
        }
        return lines
    }

    /// Keeps beginning and end: both tell hosts apart.
    func shorten(_ text: String, _ width: Int) -> String {
        guard text.count > width else { return text }
        let dots = unicode ? "…" : "..."
        let kept = max(0, width - dots.count)
        return String(text.prefix(kept - kept / 2)) + dots + String(text.suffix(kept / 2))
    }

    /// One column in every terminal: Latin letters, and the punctuation that our own sentences use.
    private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xa1...0xac, 0xae...0x24f: true
        case 0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2026, 0x2192, 0x2260, 0x2264, 0x2265: true
        default: false
        }
    }

    private static let asASCII: [Unicode.Scalar: String] = [
        "–": "-", "—": "-", "‘": "'", "’": "'", "“": "\"", "”": "\"", "…": "...", "→": "->", "≠": "!=", "≤": "<=",
        "≥": ">=", "·": "-", "×": "x",
    ]
}
