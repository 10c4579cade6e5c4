/// A word, number, string or sign of source code, and its line.
struct SourceToken: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case identifier, number, symbol, character
        /// With its place among the text's strings.
        case string(Int)
    }

    var kind: Kind
    /// As written; of a string nothing.
    var text: String
    /// From 1.
    var line: Int
    /// No other token stands before it on its line.
    var startsLine: Bool
    /// It is compiled into debug builds alone.
    var isDebugOnly = false

    var isString: Bool { if case .string = kind { true } else { false } }
    var isIdentifier: Bool { kind == .identifier }

    func `is`(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
    func names(_ word: String) -> Bool { kind == .identifier && text == word }

    /// Of a number; nil where it is none of a size that matters here.
    var number: Int? {
        guard kind == .number else { return nil }
        var digits = text.filter { $0 != "_" && $0 != "'" }.lowercased()[...]
        var radix = 10
        for (prefix, base) in [("0x", 16), ("0b", 2), ("0o", 8)] where digits.hasPrefix(prefix) {
            digits = digits.dropFirst(2)
            radix = base
        }
        while let last = digits.last, last == "l" || last == "u" || (radix == 10 && (last == "f" || last == "d")) {
            digits = digits.dropLast()
        }
        return Int(digits, radix: radix)
    }
}

/// A string of source code: what is written out in it, and what is put in while the program runs.
struct SourceString: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        case text(String)
        /// A name, or names with dots between: `$host`, `\(Pins.leaf)`.
        case path([String])
        /// Anything else, as written.
        case code(String)
    }

    var pieces: [Piece]

    /// What it is, where nothing is put in.
    var constant: String? {
        switch pieces.count {
        case 0: ""
        case 1: if case .text(let text) = pieces[0] { text } else { nil }
        default: nil
        }
    }
}
