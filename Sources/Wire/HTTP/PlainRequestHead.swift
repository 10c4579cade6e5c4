/// A request's head as nearly all are, read in one go.
///
/// It has a path, lines that end with CRLF, and nothing that says how long its content is: there is none.
/// Whatever may be anything else is none of these, and is for `HTTPMessageFraming`, which reads byte by byte and would say
/// the same of this one in twelve times the time.
struct PlainRequestHead: Hashable {
    /// Of its bytes, the empty line's included.
    let count: Int
    /// The first Host field's value, without the white space around it; nil without that field.
    let host: Range<Int>?

    /// Longer ones are rare.
    private static let limit = 8 * 1024

    /// - Parameter bytes: from a request's first byte on. nil where its head is not whole, or not as described.
    init?(_ bytes: Span<UInt8>) {
        let end = min(bytes.count, Self.limit)
        guard var at = Self.afterRequestLine(bytes, end) else { return nil }
        var host: Range<Int>?
        while true {
            guard at < end else { return nil }
            let first = bytes[at]
            if first == Self.cr {
                guard at + 1 < end, bytes[at + 1] == Self.lf else { return nil }
                break
            }
            guard let next = Self.afterLine(bytes, at, end) else { return nil }
            switch first | 0x20 {
            case UInt8(ascii: "h"):
                if host == nil { host = Self.hostValue(bytes, at..<(next - 2)) }
            case UInt8(ascii: "c"), UInt8(ascii: "t"), UInt8(ascii: "u"):
                guard !Self.mayMatter(bytes, at..<(next - 2)) else { return nil }
            default:
                // A fold, or a byte that some reader leaves out of a name.
                guard ASCII.isToken(first) else { return nil }
            }
            at = next
        }
        count = at + 2
        self.host = host
    }

    private static func afterRequestLine(_ bytes: Span<UInt8>, _ end: Int) -> Int? {
        var at = 0
        while at < end, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[at]) { at += 1 }
        guard (1...HTTPHeadFraming.methodLimit).contains(at), at + 1 < end, bytes[at] == UInt8(ascii: " "),
            bytes[at + 1] == UInt8(ascii: "/"), !starts(bytes, 0, with: connect),
            let next = afterLine(bytes, at, end)
        else { return nil }
        let end = next - 2 - version.count
        return end > at && starts(bytes, end, with: version) ? next : nil
    }

    /// Behind the line feed; nil where the line is not whole, or has another carriage return than the one before that.
    private static func afterLine(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var at = start
        while at < end, bytes[at] > cr || (bytes[at] != cr && bytes[at] != lf) { at += 1 }
        return at + 1 < end && bytes[at] == cr && bytes[at + 1] == lf ? at + 2 : nil
    }

    private static func hostValue(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Range<Int>? {
        guard line.count >= 5, equal(bytes, line.lowerBound, host) else { return nil }
        var (start, end) = (line.lowerBound + 5, line.upperBound)
        while start < end, ASCII.isWhiteSpace(bytes[start]) { start += 1 }
        while start < end, ASCII.isWhiteSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Whether a line may be a field that says where the message or the connection ends, however it is written.
    private static func mayMatter(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        var colon = line.lowerBound
        while colon < line.upperBound, ASCII.isToken(bytes[colon]) { colon += 1 }
        guard colon < line.upperBound, bytes[colon] == UInt8(ascii: ":") else { return true }
        let start = line.lowerBound
        switch colon - start {
        case 7: return equal(bytes, start, upgrade)
        case 10:
            guard equal(bytes, start, connection) else { return false }
            // It says what is so in any case.
            return line.upperBound - colon != keepAlive.count || !equal(bytes, colon, keepAlive)
        case 14: return equal(bytes, start, contentLength)
        case 17: return equal(bytes, start, transferEncoding)
        default: return false
        }
    }

    private static func starts(_ bytes: Span<UInt8>, _ start: Int, with text: [UInt8]) -> Bool {
        guard start + text.count <= bytes.count else { return false }
        var at = 0
        while at < text.count, bytes[start + at] == text[at] { at += 1 }
        return at == text.count
    }

    /// - Parameter lowercase: what it says but for the case of its letters.
    private static func equal(_ bytes: Span<UInt8>, _ start: Int, _ lowercase: [UInt8]) -> Bool {
        guard start + lowercase.count <= bytes.count else { return false }
        var at = 0
        while at < lowercase.count, ASCII.lower(bytes[start + at]) == lowercase[at] { at += 1 }
        return at == lowercase.count
    }

    private static let cr = UInt8(ascii: "\r")
    private static let lf = UInt8(ascii: "\n")
    private static let connect = Array("CONNECT ".utf8)
    private static let version = Array(" HTTP/1.1".utf8)
    private static let host = Array("host:".utf8)
    private static let upgrade = Array("upgrade".utf8)
    private static let connection = Array("connection".utf8)
    private static let keepAlive = Array(": keep-alive".utf8)
    private static let contentLength = Array("content-length".utf8)
    private static let transferEncoding = Array("transfer-encoding".utf8)
}
