/// The words of one command in a script, as a shell splits and unquotes them.
///
/// Source: POSIX.1-2024, XCU 2.2 and 2.6.
///
/// What is not known, such as the output of a command or a variable that the file does not set, becomes `unknown`.
struct ShellWords {
    struct Word: Hashable {
        var text: String
        /// From 1.
        var line: Int

        /// Nothing of it is put together elsewhere.
        var isKnown: Bool { !text.contains(ShellWords.unknown) }
    }

    /// Stands for what is not known (OBJECT REPLACEMENT CHARACTER).
    static let unknown: Character = "\u{fffc}"
    /// Stands between the words of an array in the value of a variable (UNIT SEPARATOR).
    static let separator: Character = "\u{1f}"
    /// Substitutions within each other; a script needs three.
    static let depthLimit = 8
    /// Bytes between quotation marks: more is text with an apostrophe, or a document of which no pin is part.
    static let quoteLimit = 4096
    /// Bytes of a word, whose variables may be long.
    private static let wordLimit = 4096

    private let bytes: [UInt8]
    private var at: Int
    private var line: Int
    private let end: Int
    /// Ends the command where it stands within a string: `sh -c "curl …"`.
    private let quote: UInt8?
    private let variables: [String: String]
    /// A quotation mark or a bracket was not closed.
    private(set) var isBroken = false
    /// What runs inside of the command, by `$(` or a backtick.
    private(set) var substitutions: [Range<Int>] = []

    init(
        _ bytes: [UInt8], in range: Range<Int>, line: Int, within quote: UInt8? = nil, variables: [String: String] = [:]
    ) {
        self.bytes = bytes
        at = range.lowerBound
        end = range.upperBound
        self.line = line
        self.quote = quote
        self.variables = variables
    }

    /// Where reading has ended.
    var position: Int { at }

    /// To the end of the command.
    mutating func command() -> [Word] {
        var words: [Word] = []
        while let next = skipSpace(), !isEnd(next), !isBroken {
            if next == UInt8(ascii: "#") { break }
            let isRedirection = next == UInt8(ascii: ">") || next == UInt8(ascii: "<")
            if isRedirection {
                while let byte = peek, byte == next || byte == UInt8(ascii: "&") { _ = take(byte) }
                _ = skipSpace()
                _ = word()
                continue
            }
            let start = at
            let word = word()
            let isDescriptor = peek == UInt8(ascii: ">") || peek == UInt8(ascii: "<")
            if isDescriptor, word.text == "&" || word.text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) { continue }
            // A variable without quotation marks is several words where its value is.
            let isBare = next == UInt8(ascii: "$") && !bytes[start..<at].contains { $0 == 34 || $0 == 39 }
            words += word.text.split { isBare && $0 == " " || $0 == Self.separator }.map {
                Word(text: String($0), line: word.line)
            }
            if word.text.isEmpty, !isBare { words.append(word) }
        }
        return words
    }

    /// One word, quoted or not.
    mutating func word() -> Word {
        let first = line
        var text: [UInt8] = []
        while let byte = peek, !isSpace(byte), !isEnd(byte), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<") {
            switch byte {
            case UInt8(ascii: "'"):
                _ = take(byte)
                let start = at
                skip(to: byte)
                append(bytes[start..<at], to: &text)
                _ = close(byte)
            case UInt8(ascii: "\""):
                _ = take(byte)
                doubleQuoted(into: &text)
            case UInt8(ascii: "\\"):
                _ = take(byte)
                if let next = peek { if next == 10 { _ = take(next) } else { text.append(take(next)) } }
            case UInt8(ascii: "$"), UInt8(ascii: "`"): append(expansion()[...], to: &text)
            default: text.append(take(byte))
            }
        }
        return Word(text: String(decoding: text, as: UTF8.self), line: first)
    }

    private mutating func doubleQuoted(into text: inout [UInt8]) {
        let start = at
        while let byte = peek, byte != UInt8(ascii: "\""), at - start < Self.quoteLimit {
            switch byte {
            case UInt8(ascii: "\\"):
                _ = take(byte)
                guard let next = peek else { return }
                if next == 10 {
                    _ = take(next)
                } else if "$`\"\\".utf8.contains(next) {
                    text.append(take(next))
                } else {
                    text.append(byte)
                }
            case UInt8(ascii: "$"), UInt8(ascii: "`"): append(expansion()[...], to: &text)
            default: text.append(take(byte))
            }
        }
        _ = close(UInt8(ascii: "\""))
    }

    private func append(_ more: ArraySlice<UInt8>, to text: inout [UInt8]) {
        // A variable may be made of itself, twice.
        text += text.count + more.count <= Self.wordLimit ? more : Array(String(Self.unknown).utf8)[...]
    }

    // MARK: Expansion

    /// `$NAME`, `${NAME}`, `${NAME:-else}`, `$(…)` and backticks.
    private mutating func expansion() -> [UInt8] {
        let unknown = Array(String(Self.unknown).utf8)
        guard let byte = peek else { return [] }
        _ = take(byte)
        if byte == UInt8(ascii: "`") {
            let start = at
            skip(to: byte)
            substitutions.append(start..<at)
            return close(byte) ? unknown : []
        }
        switch peek {
        case UInt8(ascii: "("):
            skipParentheses()
            return unknown
        case UInt8(ascii: "{"):
            _ = take(UInt8(ascii: "{"))
            let name = name()
            let start = at
            skip(to: UInt8(ascii: "}"))
            let rest = bytes[start..<at]
            guard close(UInt8(ascii: "}")) else { return unknown }
            if rest.isEmpty || rest.elementsEqual("[@]".utf8) || rest.elementsEqual("[*]".utf8) {
                return variables[name].map { Array($0.utf8) } ?? unknown
            }
            guard rest.starts(with: ":-".utf8) || rest.starts(with: "-".utf8) else { return unknown }
            if let value = variables[name] { return Array(value.utf8) }
            let fallback = rest.drop { $0 == UInt8(ascii: ":") }.dropFirst()
            return fallback.contains(UInt8(ascii: "$")) ? unknown : Array(fallback.filter { $0 != 34 && $0 != 39 })
        default:
            let name = name()
            if name.isEmpty {
                // `$1`, `$@` and the like, or a dollar by itself.
                guard let next = peek, "0123456789@*?#!$-".utf8.contains(next) else { return [byte] }
                _ = take(next)
                return unknown
            }
            return variables[name].map { Array($0.utf8) } ?? unknown
        }
    }

    private mutating func name() -> String {
        let start = at
        while let byte = peek, Self.isName(byte), at > start || !(byte >= 48 && byte <= 57) { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func skip(to mark: UInt8) {
        let start = at
        while let byte = peek, byte != mark, at - start < Self.quoteLimit { _ = take(byte) }
    }

    /// Over the end of what has been opened; where it is not there, the text is no script at this place.
    private mutating func close(_ mark: UInt8) -> Bool {
        guard peek == mark else {
            isBroken = true
            return false
        }
        _ = take(mark)
        return true
    }

    private mutating func skipParentheses() {
        let start = at + 1
        var depth = 0
        var open: UInt8?
        while let byte = peek, at - start < Self.quoteLimit {
            _ = take(byte)
            if let inner = open {
                if byte == inner { open = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                open = byte
            } else if byte == UInt8(ascii: "(") {
                depth += 1
            } else if byte == UInt8(ascii: ")") {
                depth -= 1
                if depth == 0 { break }
            }
        }
        if depth != 0 { isBroken = true }
        substitutions.append(min(start, at)..<at)
    }

    // MARK: Bytes

    private var peek: UInt8? { at < end && bytes[at] != quote ? bytes[at] : nil }

    private mutating func take(_ byte: UInt8) -> UInt8 {
        if byte == 10 { line += 1 }
        at += 1
        return byte
    }

    /// Over blanks and continued lines; what comes then.
    private mutating func skipSpace() -> UInt8? {
        while let byte = peek {
            if byte == 32 || byte == 9 || byte == 13 {
                at += 1
            } else if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "^"), let length = lineEnd(behind: at) {
                // A caret is what Windows continues a line with.
                at += length
                line += 1
            } else {
                return byte
            }
        }
        return nil
    }

    private func lineEnd(behind at: Int) -> Int? {
        if at + 1 < end, bytes[at + 1] == 10 { return 2 }
        return at + 2 < end && bytes[at + 1] == 13 && bytes[at + 2] == 10 ? 3 : nil
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
    private func isEnd(_ byte: UInt8) -> Bool {
        byte == 10 || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "|") || byte == UInt8(ascii: ")")
            || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "&") && !isRedirectionOfBoth
    }

    /// `&>`.
    private var isRedirectionOfBoth: Bool { at + 1 < end && bytes[at + 1] == UInt8(ascii: ">") }

    static func isName(_ byte: UInt8) -> Bool {
        byte >= 48 && byte <= 57 || byte >= 65 && byte <= 90 || byte >= 97 && byte <= 122 || byte == UInt8(ascii: "_")
    }
}
