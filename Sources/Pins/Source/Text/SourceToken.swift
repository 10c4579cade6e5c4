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
    /// White space, or a comment, stands before it.
    var isApart = false

    var isString: Bool { if case .string = kind { true } else { false } }
    var isIdentifier: Bool { kind == .identifier }

    /// What joins the names of a path.
    var isDot: Bool { kind == .symbol && [".", "?.", "::", "!!"].contains(text) }
    var closes: Bool { self.is(")") || self.is("]") }

    func `is`(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
    func names(_ word: String) -> Bool { kind == .identifier && text == word }

    /// Of a number; nil where it is none of a size that matters here.
    var number: Int? {
        guard kind == .number, text.utf8.count <= 40 else { return nil }
        var digits = Array(text.utf8)[...]
        var radix = 10
        if digits.first == UInt8(ascii: "0"), digits.count > 1 {
            switch digits[1] | 0x20 {
            case UInt8(ascii: "x"): radix = 16
            case UInt8(ascii: "b"): radix = 2
            case UInt8(ascii: "o"): radix = 8
            default: break
            }
            if radix != 10 { digits = digits.dropFirst(2) }
        }
        // Suffixes of C, Java and Kotlin.
        while let last = digits.last, last | 0x20 == UInt8(ascii: "l") || last | 0x20 == UInt8(ascii: "u") {
            digits = digits.dropLast()
        }
        var number = 0
        guard !digits.isEmpty else { return nil }
        for byte in digits where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "'") {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, digit < radix else { return nil }
            let (shifted, isOver) = number.multipliedReportingOverflow(by: radix)
            let (sum, isPast) = shifted.addingReportingOverflow(digit)
            guard !isOver, !isPast else { return nil }
            number = sum
        }
        return number
    }
}

/// A string: what is written out in it, and what is put in while the program runs.
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

/// A file's tokens; beyond both ends stands one that is nothing: code may end anywhere.
struct SourceTokens: RandomAccessCollection, Sendable {
    private let all: [SourceToken]

    init(_ all: [SourceToken]) { self.all = all }

    var startIndex: Int { 0 }
    var endIndex: Int { all.count }

    subscript(place: Int) -> SourceToken {
        all.indices.contains(place)
            ? all[place] : SourceToken(kind: .symbol, text: "", line: all.last?.line ?? 1, startsLine: true)
    }
}
