import Facts

/// Text broken into lines for a terminal.
enum TextLines {
    /// Words in lines of at most `width` columns; one that is longer is broken. Nothing in it can move a cursor.
    static func wrap(_ text: String, _ width: Int) -> [String] {
        let width = max(narrowest, width)
        var lines: [String] = []
        var line: [Character] = []
        for word in Printable.escaped(text).split(separator: " ") {
            var word = Array(word)[...]
            if !line.isEmpty, line.count + 1 + word.count <= width {
                line.append(" ")
                line += word
                continue
            }
            if !line.isEmpty { lines.append(String(line)) }
            while word.count > width {
                lines.append(String(word.prefix(width)))
                word = word.dropFirst(width)
            }
            line = Array(word)
        }
        if !line.isEmpty { lines.append(String(line)) }
        return lines
    }

    /// Begins with `head`; the lines after the first are indented, as far as `head` is long if nothing is said.
    static func hanging(_ head: String, _ text: String, _ width: Int, indent: Int? = nil) -> [String] {
        let before = head.prefix { $0 == " " }
        let indent = indent ?? head.count
        let lines = wrap(head.dropFirst(before.count) + text, width - max(indent, before.count))
        return lines.enumerated().map { index, line in
            (index == 0 ? String(before) : String(repeating: " ", count: indent)) + line
        }
    }

    /// Below this nobody reads a sentence.
    private static let narrowest = 20
}
