import Facts

/// The last line that a program wrote, as a report can show it.
enum LastLine {
    /// A last line is among so many bytes; what is longer is shown from its end on.
    static let window = 4096

    /// Without colours, cut at `TrialEnd.lastErrorLimit`; nil where there is nothing but blanks.
    static func of(_ bytes: some Sequence<UInt8>) -> String? {
        let text = String(decoding: Array(bytes), as: UTF8.self)
        let lines = text.split { $0.isNewline }.map { plain(String($0)) }
        guard let last = lines.last(where: { !$0.isEmpty }) else { return nil }
        let line = last.hasPrefix(endOfCurls) ? lines.last { $0.hasPrefix("curl: (") } ?? last : last
        return Printable.excerpt(line, limit: TrialEnd.lastErrorLimit)
    }

    /// curl says first what it is that it cannot verify, and then the same five lines each time.
    private static let endOfCurls = "how to fix it, please visit the web"

    /// Control sequences (ECMA-48 §5.4) are for terminals: from ESC [ to the first letter or `@` to `~`.
    private static func plain(_ line: String) -> String {
        var out = String.UnicodeScalarView()
        var scalars = line.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            guard scalar == "\u{1b}", scalars.first == "[" else {
                out.append(scalar)
                continue
            }
            scalars = scalars.dropFirst().drop { !("@"..."~").contains($0) }.dropFirst()
        }
        let text = String(out)
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}
