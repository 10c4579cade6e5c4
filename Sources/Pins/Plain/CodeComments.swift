/// Whether a place stands in a comment.
///
/// `#`, `//` and `/* … */`, of whichever language the text is.
struct CodeComments {
    private let bytes: [UInt8]
    private let lines: LineCount
    private let blocks: [Range<Int>]

    init(_ bytes: [UInt8], _ lines: LineCount) {
        self.bytes = bytes
        self.lines = lines
        blocks = Self.blocks(in: bytes)
    }

    func contains(_ place: Int) -> Bool {
        if LineCount.anyContains(blocks, place) { return true }
        let line = lines.range(of: lines.line(of: place))
        // A longer line is no code that a person writes.
        guard place - line.lowerBound <= ShellWords.quoteLimit else { return false }
        var quote: UInt8?
        for at in line.lowerBound..<place {
            let byte = bytes[at]
            if let open = quote {
                if byte == open, bytes[at - 1] != UInt8(ascii: "\\") { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "#"), Self.isApart(bytes, at) {
                return true
            } else if byte == UInt8(ascii: "/"), at + 1 < place, bytes[at + 1] == byte, Self.isApart(bytes, at) {
                return true
            }
        }
        return false
    }

    /// At the beginning, or behind white space or the end of a statement: no part of an address or of a pattern.
    private static func isApart(_ bytes: [UInt8], _ at: Int) -> Bool {
        at == 0 || bytes[at - 1] <= 32 || bytes[at - 1] == UInt8(ascii: ";") || bytes[at - 1] == UInt8(ascii: "}")
    }

    /// Where one is not closed it is none.
    private static func blocks(in bytes: [UInt8]) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var at = 0
        while let open = ByteSearch.first(Array("/*".utf8), in: bytes, from: at) {
            at = open + 2
            guard isApart(bytes, open) else { continue }
            guard let close = ByteSearch.first(Array("*/".utf8), in: bytes, from: at) else { break }
            blocks.append(open..<close)
            at = close + 2
        }
        return blocks
    }
}
