/// Finds the end of an HTTP/1 request's head; refuses what could be read in two ways.
struct HTTPHeadScanner {
    enum Progress: Hashable {
        case needMore
        /// The head's bytes, the empty line included.
        case complete(Int)
        case malformed(WireError)
    }

    /// Far beyond the 8 to 16 KiB that servers take for a whole head, cookies and tokens included.
    static let headLimit = 64 * 1024
    /// RFC 9112 §3 asks for 8,000 bytes at least; apps put more into addresses, and through CONNECT more passes.
    static let requestLineLimit = 32 * 1024

    private var scanned = 0
    private var lineStart = 0
    private var inRequestLine = true

    /// Takes all bytes since the start each time; none is looked at twice.
    mutating func read(_ bytes: Span<UInt8>) -> Progress {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            if scanned > lineStart, bytes[scanned - 1] == UInt8(ascii: "\r"), byte != UInt8(ascii: "\n") {
                return .malformed(.lineEnd)
            }
            switch byte {
            case UInt8(ascii: "\n"):
                guard scanned > lineStart, bytes[scanned - 1] == UInt8(ascii: "\r") else { return .malformed(.lineEnd) }
                if scanned - lineStart == 1, !inRequestLine { return .complete(scanned + 1) }
                inRequestLine = false
                lineStart = scanned + 1
            case UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
            case 0..<0x20, 0x7f: return .malformed(.controlCharacter(byte))
            default: break
            }
            scanned += 1
            if inRequestLine, scanned >= Self.requestLineLimit {
                return .malformed(.requestLineTooLong(limit: Self.requestLineLimit))
            }
            if scanned >= Self.headLimit { return .malformed(.headTooLong(limit: Self.headLimit)) }
        }
        return .needMore
    }
}

/// A request's head: its bytes, and where in them each part is.
struct HTTPHead {
    struct Field: Hashable {
        var name: Range<Int>
        /// Without the white space around it.
        var value: Range<Int>
    }

    let bytes: [UInt8]
    private(set) var method = 0..<0
    private(set) var target = 0..<0
    /// `HTTP/1.0` rather than `HTTP/1.1`.
    private(set) var isVersion10 = false
    private(set) var fields: [Field] = []

    /// `head` ends with the empty line, as `HTTPHeadScanner` found it.
    init(_ head: [UInt8]) throws(WireError) {
        bytes = head
        var start = 0
        var number = 0
        while let end = Self.lineEnd(bytes, from: start), end > start {
            if number == 0 {
                try parseRequestLine(start..<end)
            } else {
                try parseField(start..<end, number)
            }
            number += 1
            start = end + 2
        }
        guard number > 0 else { throw .requestLine }
    }

    func text(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range.clamped(to: 0..<bytes.count)] }

    /// `name` in lower case.
    func values(of name: StaticName) -> [Range<Int>] {
        fields.lazy.filter { has($0, name) }.map(\.value)
    }

    func has(_ field: Field, _ name: StaticName) -> Bool { ASCII.equal(text(field.name), name.bytes) }

    /// The client would send another request after the answer (RFC 9112 §9.3).
    var staysOpen: Bool {
        let options = (values(of: .connection) + values(of: .proxyConnection)).flatMap { ASCII.list(bytes, $0) }
        return !isVersion10 && !options.contains { ASCII.equal(text($0), StaticName.close.bytes) }
    }

    private mutating func parseRequestLine(_ line: Range<Int>) throws(WireError) {
        let parts = bytes[line].split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        if parts.count > 3, parts[0].allSatisfy(ASCII.isToken), parts[1].starts(with: Self.http),
            bytes[line].suffix(Self.version.count + 1).starts(with: Self.version)
        {
            throw .requestTarget(UInt8(ascii: " "))
        }
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, parts[0].allSatisfy(ASCII.isToken),
            !parts[1].contains(UInt8(ascii: "\t"))
        else { throw .requestLine }
        method = parts[0].startIndex..<parts[0].endIndex
        target = parts[1].startIndex..<parts[1].endIndex
        if parts[2].elementsEqual(Self.version10) {
            isVersion10 = true
        } else if !parts[2].elementsEqual(Self.version11) {
            throw .httpVersion(WireError.printable(parts[2]))
        }
    }

    private mutating func parseField(_ line: Range<Int>, _ number: Int) throws(WireError) {
        guard !ASCII.isWhiteSpace(bytes[line.lowerBound]) else { throw .foldedField(number: number) }
        // A token has no white space, so none can stand before the colon.
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
            bytes[line.lowerBound..<colon].allSatisfy(ASCII.isToken)
        else { throw .fieldLine(number: number) }
        fields.append(Field(name: line.lowerBound..<colon, value: ASCII.trimmed(bytes, (colon + 1)..<line.upperBound)))
    }

    private static let version10 = Array("HTTP/1.0".utf8)
    private static let version11 = Array("HTTP/1.1".utf8)
    private static let http = Array("http://".utf8)
    /// Up to its last digit.
    private static let version = Array(" HTTP/1.".utf8)

    private static func lineEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        return bytes[start...].firstIndex(of: UInt8(ascii: "\r"))
    }
}

/// A field name or a token in lower case, as bytes made once.
struct StaticName: Sendable {
    let bytes: [UInt8]
    init(_ name: String) { bytes = Array(name.utf8) }

    static let close = StaticName("close")
    static let connection = StaticName("connection")
    static let contentLength = StaticName("content-length")
    static let expect = StaticName("expect")
    static let host = StaticName("host")
    static let http2Settings = StaticName("http2-settings")
    static let keepAlive = StaticName("keep-alive")
    static let proxyAuthorization = StaticName("proxy-authorization")
    static let proxyConnection = StaticName("proxy-connection")
    static let te = StaticName("te")
    static let transferEncoding = StaticName("transfer-encoding")
    static let upgrade = StaticName("upgrade")
    static let via = StaticName("via")
}

/// What HTTP means by letters, tokens and white space (RFC 9110 §5.6).
enum ASCII {
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        // ! # $ % & ' * + - . ^ _ ` | ~
        case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e, 0x5f, 0x60, 0x7c, 0x7e: true
        default: false
        }
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }

    /// `lowercase` must be so.
    static func equal(_ text: ArraySlice<UInt8>, _ lowercase: [UInt8]) -> Bool {
        guard text.count == lowercase.count else { return false }
        var index = text.startIndex
        for letter in lowercase {
            guard lower(text[index]) == letter else { return false }
            index += 1
        }
        return true
    }

    static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isWhiteSpace(bytes[start]) { start += 1 }
        while end > start, isWhiteSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// The elements of a comma-separated list, trimmed, empty ones left out.
    static func list(_ bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        bytes[range].split(separator: UInt8(ascii: ",")).map { trimmed(bytes, $0.startIndex..<$0.endIndex) }
            .filter { !$0.isEmpty }
    }
}
