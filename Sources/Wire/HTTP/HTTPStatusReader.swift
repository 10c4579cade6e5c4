/// The status code of an HTTP/1 server's first answer, out of bytes that keep coming.
///
/// Interim answers (1xx) are passed over, but 101 is an answer of its own. It keeps no bytes, and gives up where there
/// is no HTTP/1.
package struct HTTPStatusReader: Hashable, Sendable {
    package private(set) var status: Int?
    /// Nothing more is to be learnt.
    package private(set) var isDone = false

    /// Within the status line; nil while the rest of an interim answer is passed over.
    private var at: Int? = 0
    private var code = 0
    /// How much of the empty line that ends a head has come.
    private var lineEnds = 0
    private var seen = 0

    /// Heads of interim answers are a few fields (103 Early Hints); beyond it the answer is not found.
    static let limit = 64 * 1024
    private static let start = Array("HTTP/1.".utf8)
    private static let headEnd = Array("\r\n\r\n".utf8)

    package init() {}

    package mutating func feed(_ bytes: Span<UInt8>) {
        var index = 0
        while !isDone, index < bytes.count {
            take(bytes[index])
            index += 1
            seen += 1
            if seen >= Self.limit { isDone = true }
        }
    }

    private mutating func take(_ byte: UInt8) {
        guard let place = at else { return skip(byte) }
        switch place {
        case 0..<7: if byte != Self.start[place] { isDone = true }
        case 7: if !ASCII.isDigit(byte) { isDone = true }
        case 8: if byte != UInt8(ascii: " ") { isDone = true }
        case 9...11:
            guard ASCII.isDigit(byte) else {
                isDone = true
                return
            }
            code = code * 10 + Int(byte - UInt8(ascii: "0"))
        default: lineRead(byte)
        }
        if at != nil { at = place + 1 }
    }

    private mutating func lineRead(_ byte: UInt8) {
        guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") else {
            isDone = true
            return
        }
        if (100..<200).contains(code), code != 101 {
            at = nil
            lineEnds = byte == UInt8(ascii: "\r") ? 1 : 0
        } else {
            status = code
            isDone = true
        }
    }

    private mutating func skip(_ byte: UInt8) {
        if byte == Self.headEnd[lineEnds] {
            lineEnds += 1
        } else {
            lineEnds = byte == UInt8(ascii: "\r") ? 1 : 0
        }
        guard lineEnds == Self.headEnd.count else { return }
        at = 0
        code = 0
        lineEnds = 0
    }
}
