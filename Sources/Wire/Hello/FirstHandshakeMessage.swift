/// Finds one direction's first handshake message in its TLS records, however they are cut.
///
/// It is shown all bytes since the start each time and remembers how far it got, so a message that comes byte by byte
/// costs no more than one that comes at once. A message in a single record is not copied.
struct FirstHandshakeMessage {
    enum Progress {
        case needMore
        /// The whole message, header included, at this place of the bytes that were shown.
        case inPlace(Range<Int>)
        /// The message put together from several records.
        case gathered([UInt8])
        case notTLS
        case malformed(WireError)
    }

    /// The handshake type that is expected, 1 for ClientHello, 2 for ServerHello.
    let type: UInt8
    /// For the raw bytes, record headers included.
    let limit: Int
    /// Where the next record begins.
    private var next = 0
    private var gathered: [UInt8] = []

    private static let headerLength = 5
    private static let handshakeRecord: UInt8 = 22
    /// A plaintext record's most (RFC 8446 §5.1).
    private static let maximumRecord = 1 << 14

    init(type: UInt8, limit: Int) {
        self.type = type
        self.limit = limit
    }

    mutating func read(_ bytes: Span<UInt8>) -> Progress {
        while true {
            let available = bytes.count - next
            if available >= 1, bytes[next] != Self.handshakeRecord {
                return next == 0 ? .notTLS : .malformed(.unexpectedRecord(type: bytes[next]))
            }
            if available >= 2, bytes[next + 1] != 3 {
                return next == 0 ? .notTLS : .malformed(.truncated(field: "a record"))
            }
            guard available >= Self.headerLength else { return exhausted(bytes) }
            let length = Int(bytes[next + 3]) << 8 | Int(bytes[next + 4])
            guard (1...Self.maximumRecord).contains(length) else { return .malformed(.recordLength(length)) }
            if gathered.isEmpty, available > Self.headerLength, bytes[next + 5] != type {
                return .malformed(.unexpectedMessage(type: bytes[next + 5]))
            }
            // What is there of the record: the message may end long before the record does.
            let payload = (next + Self.headerLength)..<min(next + Self.headerLength + length, bytes.count)
            if gathered.isEmpty, let whole = Self.wholeLength(bytes, payload) {
                guard whole <= limit else { return .malformed(.messageTooLong(limit: limit)) }
                if whole <= payload.count { return .inPlace(payload.lowerBound..<(payload.lowerBound + whole)) }
            }
            guard available >= Self.headerLength + length else { return exhausted(bytes) }
            next = payload.upperBound
            gathered.append(copying: bytes, payload)
            guard let whole = Self.wholeLength(gathered.span, 0..<gathered.count) else { continue }
            guard whole <= limit else { return .malformed(.messageTooLong(limit: limit)) }
            if gathered.count >= whole {
                gathered.removeLast(gathered.count - whole)
                return .gathered(gathered)
            }
        }
    }

    /// The message's length with its header, once that can be read.
    private static func wholeLength(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var cursor = ByteCursor(range, in: bytes)
        guard cursor.uint8(bytes) != nil, let length = cursor.uint24(bytes) else { return nil }
        return 4 + length
    }

    private func exhausted(_ bytes: Span<UInt8>) -> Progress {
        bytes.count >= limit ? .malformed(.messageTooLong(limit: limit)) : .needMore
    }
}
