import Facts

/// Source code to tokens, in one pass; code that is commented out is none.
struct SourceTokenizer {
    /// Bytes; the largest files that people write by hand have a tenth of it.
    static let sizeLimit = 4 << 20

    let bytes: [UInt8]
    let language: SourceLanguage
    var at = 0
    var line = 1
    var startsLine = true
    private var isApart = false
    var tokens: [SourceToken] = []
    var strings: [SourceString] = []

    init(_ bytes: [UInt8], _ language: SourceLanguage) {
        self.bytes = bytes
        self.language = language
    }

    mutating func run() {
        while at < bytes.count {
            let byte = bytes[at]
            if byte == 10 {
                line += 1
                startsLine = true
                isApart = true
                at += 1
            } else if byte <= 32 || byte == 0x7f {
                isApart = true
                at += 1
            } else if comment(byte) {
                isApart = true
            } else if !string(byte) {
                if Self.isDigit(byte) {
                    number()
                } else if isName(byte) {
                    word()
                } else {
                    symbol()
                }
            }
        }
    }

    // MARK: comments

    private mutating func comment(_ byte: UInt8) -> Bool {
        if language == .python {
            guard byte == UInt8(ascii: "#") else { return false }
            skipLine()
            return true
        }
        if byte == UInt8(ascii: "#"), peek(1) == UInt8(ascii: "!"), line == 1, startsLine {
            skipLine()
            return true
        }
        guard byte == UInt8(ascii: "/") else { return false }
        if peek(1) == UInt8(ascii: "/") {
            skipLine()
            return true
        }
        guard peek(1) == UInt8(ascii: "*") else { return false }
        at += 2
        var depth = 1
        while at < bytes.count, depth > 0 {
            if bytes[at] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                at += 2
            } else if language.nestsComments, bytes[at] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                at += 2
            } else {
                if bytes[at] == 10 {
                    line += 1
                    startsLine = true
                }
                at += 1
            }
        }
        return true
    }

    private mutating func skipLine() {
        while at < bytes.count, bytes[at] != 10 { at += 1 }
    }

    // MARK: words, numbers and signs

    private mutating func word() {
        if bytes[at] == UInt8(ascii: "`") {
            // Kotlin's and Swift's way to use a keyword as a name; `string` has taken JavaScript's templates.
            let from = at + 1
            var end = from
            while end < bytes.count, bytes[end] != UInt8(ascii: "`"), bytes[end] != 10 { end += 1 }
            at = min(end + 1, bytes.count)
            append(.identifier, String(decoding: bytes[from..<end], as: UTF8.self))
            return
        }
        let from = at
        while at < bytes.count, isName(bytes[at]), bytes[at] != UInt8(ascii: "`") { at += 1 }
        append(.identifier, String(decoding: bytes[from..<at], as: UTF8.self))
    }

    private mutating func number() {
        let from = at
        while at < bytes.count {
            let byte = bytes[at]
            if Self.isDigit(byte) || Self.isLetter(byte) || byte == UInt8(ascii: "_") {
                at += 1
            } else if byte == UInt8(ascii: "'"), language == .cpp || language == .objectiveC,
                peek(1).map(Self.isDigit) == true
            {
                at += 1
            } else if byte == UInt8(ascii: "."), peek(1).map(Self.isDigit) == true {
                at += 1
            } else {
                break
            }
        }
        append(.number, String(decoding: bytes[from..<at], as: UTF8.self))
    }

    /// Longest first; `>>` is left apart, for generic types end so.
    private static let signs: [[UInt8]] = [
        "...", "..<", "===", "!==", "?..", "->", "=>", "::", "?.", "!!", "??", "?:", "..", "==", "!=", "<=", ">=", "&&",
        "||", "+=", "-=", ":=",
    ].map { Array($0.utf8) }

    /// By the byte: one of the signs begins with it.
    private static let beginsSign: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for sign in signs { table[Int(sign[0])] = true }
        return table
    }()

    private mutating func symbol() {
        // Most signs stand alone.
        let next = peek(1) ?? 0
        let mayBeLonger =
            Self.beginsSign[Int(bytes[at])] && (next < UInt8(ascii: "A") && next > 32 || next == UInt8(ascii: "|"))
        if mayBeLonger, let sign = Self.signs.first(where: stands) {
            append(.symbol, String(decoding: sign, as: UTF8.self))
            at += sign.count
        } else {
            append(.symbol, String(UnicodeScalar(bytes[at])))
            at += 1
        }
    }

    mutating func append(_ kind: SourceToken.Kind, _ text: String, line: Int? = nil) {
        tokens.append(
            SourceToken(
                kind: kind, text: text, line: line ?? self.line, startsLine: startsLine, isApart: isApart))
        startsLine = false
        isApart = false
    }

    /// It is what comes next. Asked at nearly every byte.
    func stands(_ mark: [UInt8]) -> Bool {
        guard at + mark.count <= bytes.count, bytes[at] == mark[0] else { return false }
        var place = 1
        while place < mark.count {
            guard bytes[at + place] == mark[place] else { return false }
            place += 1
        }
        return true
    }

    func peek(_ distance: Int) -> UInt8? { at + distance < bytes.count ? bytes[at + distance] : nil }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }

    func isName(_ byte: UInt8) -> Bool {
        Self.isLetter(byte) || Self.isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || byte >= 0x80
            || (byte == UInt8(ascii: "`") && (language == .kotlin || language == .swift))
    }
}
