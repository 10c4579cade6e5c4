import Facts

/// Comments and literals of the languages that pins are written in.
///
/// Hosts are names of DNS or addresses, and pins base64 or hexadecimal: neither has a letter that ends a literal.
enum ExportComment {
    /// Each on a line of its own, behind `//` or `#`.
    static func lines(_ notes: [String], _ mark: String, indent: Int = 0) -> String {
        notes.map { String(repeating: " ", count: indent) + "\(mark) \(Printable.escaped($0))\n" }.joined()
    }

    /// XML has no two dashes within a comment (XML 1.0 §2.5).
    static func xml(_ notes: [String], indent: Int = 0) -> String {
        notes.map { note in
            var text = ""
            for letter in Printable.escaped(note) { text += letter == "-" && text.last == "-" ? " -" : String(letter) }
            if text.last == "-" { text += " " }
            return String(repeating: " ", count: indent) + "<!-- \(text) -->\n"
        }.joined()
    }
}

extension DeclaredHost {
    /// Base64, each once.
    var base64Pins: [String] {
        pins.filter { $0.kind == .spkiSHA256 }.compactMap(\.digest).map(Base64.encode).uniqued()
    }

    /// `sha256/…` and `certificate-sha256/…`, each once.
    var pinNames: [String] { pins.filter { $0.digest != nil }.map(\.name).uniqued() }

    var coversBelow: Bool { reach.contains(.children) || reach.contains(.descendants) }
}
