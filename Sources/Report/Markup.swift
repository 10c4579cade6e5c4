import Facts

/// Text inside XML 1.0.
enum XML {
    /// For a quoted attribute and for the text of an element alike. What XML 1.0 cannot hold at all (most control
    /// characters) is among what `Printable` writes as `\u{…}`, so nothing is lost and nothing breaks a parser.
    static func attribute(_ text: String) -> String {
        Printable.escaped(text).replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;"])
    }

    /// Several lines of text, each safe on its own: only our newlines are newlines.
    static func lines(_ lines: [String]) -> String { lines.map(attribute).joined(separator: "\n") }
}

/// Text inside HTML, quoted attributes included.
enum HTML {
    /// Our own sentences mark what is to be typed with backquotes.
    static func prose(_ text: String) -> String { marked(text, escaped: Self.text) }

    fileprivate static func marked(_ text: String, escaped: (String) -> String) -> String {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            index % 2 == 0 ? escaped(String(part)) : "<code>\(escaped(String(part)))</code>"
        }.joined()
    }

    static func text(_ text: String) -> String {
        Printable.escaped(text).replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
    }
}

/// Text inside GitHub-flavoured Markdown, table cells included.
enum Markdown {
    static func prose(_ text: String) -> String { HTML.marked(text, escaped: Self.text) }

    /// Every character that Markdown or HTML gives a meaning is written as an entity, which neither reads as
    /// structure; the beginnings of automatic links and mentions too.
    static func text(_ text: String) -> String {
        var out = Printable.escaped(text).replacing([
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\\": "&#92;", "`": "&#96;", "*": "&#42;", "_": "&#95;",
            "[": "&#91;", "]": "&#93;", "|": "&#124;", "~": "&#126;", "@": "&#64;", "$": "&#36;", "#": "&#35;",
            "!": "&#33;",
        ])
        out.replace("://", with: "&#58;//")
        for www in ["www.", "WWW."] { out.replace(www, with: www.dropLast() + "&#46;") }
        return out
    }
}

extension String {
    fileprivate func replacing(_ entities: [Unicode.Scalar: String]) -> String {
        guard unicodeScalars.contains(where: { entities[$0] != nil }) else { return self }
        var out = ""
        for scalar in unicodeScalars {
            if let entity = entities[scalar] { out += entity } else { out.unicodeScalars.append(scalar) }
        }
        return out
    }
}
