import Facts

/// A filter's text, and how far it has been read.
struct FilterScanner {
    let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// One value as it was written.
    struct Piece {
        /// The text around its stars.
        var segments: [String]
        var isQuoted: Bool
        /// Quotes and all.
        var range: Range<Int>

        /// With stars again.
        var text: String { segments.joined(separator: "*") }
        var isEmpty: Bool { segments == [""] }
    }

    // MARK: Bytes

    var isAtEnd: Bool { position >= bytes.count }

    func byte(_ offset: Int = 0) -> UInt8? {
        let index = position + offset
        return bytes.indices.contains(index) ? bytes[index] : nil
    }

    mutating func advance(_ count: Int = 1) { position = min(bytes.count, position + count) }

    mutating func move(to position: Int) { self.position = min(max(0, position), bytes.count) }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
    }

    /// How many bytes of white space there are: ASCII's, U+00A0, U+3000.
    func blank(at index: Int) -> Int {
        guard index < bytes.count else { return 0 }
        switch bytes[index] {
        case 0x20, 0x09...0x0d: return 1
        case 0xc2: return index + 1 < bytes.count && bytes[index + 1] == 0xa0 ? 2 : 0
        case 0xe3: return index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] == 0x80 ? 3 : 0
        default: return 0
        }
    }

    mutating func skipBlanks() {
        while case let length = blank(at: position), length > 0 { position += length }
    }

    /// Nothing of a term can stand here.
    func isEnd(at index: Int) -> Bool {
        index >= bytes.count || bytes[index] == UInt8(ascii: ")") || blank(at: index) > 0
    }

    // MARK: Words

    /// The word stands here alone, in whatever case.
    func isKeyword(_ word: String) -> Bool {
        let end = position + word.utf8.count
        guard end <= bytes.count, isEnd(at: end) || bytes[end] == UInt8(ascii: "(") else { return false }
        return zip(bytes[position..<end], word.utf8).allSatisfy { CaseFolding.ascii($0) == $1 }
    }

    /// `name` of `name:` or of another sign behind it, without moving.
    func name(before sign: (UInt8) -> Bool) -> String? {
        var end = position
        while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
        guard end > position, end < bytes.count, sign(bytes[end]), CaseFolding.ascii(bytes[position]) &- 0x61 < 26
        else {
            return nil
        }
        return text(position..<end)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        CaseFolding.ascii(byte) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    // MARK: Values

    var isAtQuote: Bool { byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'") }

    /// Up to white space, a closing parenthesis that was not opened in it, or one of the stops.
    ///
    /// A backslash before `* \ " ' , ( )` or a blank takes its meaning away; before others it is one.
    mutating func bare(stops: [UInt8] = []) -> Piece {
        let start = position
        var segments: [[UInt8]] = [[]]
        var depth = 0
        while let byte = byte(), blank(at: position) == 0, !stops.contains(byte) {
            switch byte {
            case UInt8(ascii: "\\"):
                if let next = self.byte(1), "*\\\"',() ".utf8.contains(next) { advance() }
                segments[segments.count - 1].append(self.byte() ?? byte)
            case UInt8(ascii: "*"): segments.append([])
            case UInt8(ascii: ")") where depth == 0:
                return piece(segments, start, isQuoted: false)
            default:
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                segments[segments.count - 1].append(byte)
            }
            advance()
        }
        return piece(segments, start, isQuoted: false)
    }

    /// Where a quoted text is wrong.
    enum QuoteFault: Error { case open(Range<Int>), escape(Range<Int>) }

    /// Between `"` and `"`, or `'` and `'`; `*` is a star here too, and `\*` none.
    mutating func quoted() throws(QuoteFault) -> Piece {
        let start = position
        let quote = byte()
        advance()
        var segments: [[UInt8]] = [[]]
        while let byte = byte() {
            advance()
            if byte == quote { return piece(segments, start, isQuoted: true) }
            switch byte {
            case UInt8(ascii: "*"): segments.append([])
            case UInt8(ascii: "\\"): segments[segments.count - 1] += try escape()
            default: segments[segments.count - 1].append(byte)
            }
        }
        throw .open(start..<(start + 1))
    }

    /// What stands behind a backslash.
    private mutating func escape() throws(QuoteFault) -> [UInt8] {
        let start = position - 1
        guard let byte = byte() else { throw .escape(start..<position) }
        advance()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "*"), UInt8(ascii: "/"):
            return [byte]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u") where self.byte() == UInt8(ascii: "{"):
            let digits = bytes[(position + 1)...].prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "\"") }.prefix(
                9)
            if let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(value),
                self.byte(1 + digits.count) == UInt8(ascii: "}")
            {
                advance(2 + digits.count)
                return Array(String(scalar).utf8)
            }
            throw .escape(start..<position)
        default:
            while !isAtEnd, bytes[position] & 0xc0 == 0x80 { position += 1 }
            throw .escape(start..<position)
        }
    }

    private func piece(_ segments: [[UInt8]], _ start: Int, isQuoted: Bool) -> Piece {
        Piece(
            segments: segments.map { String(decoding: $0, as: UTF8.self) }, isQuoted: isQuoted, range: start..<position)
    }
}
