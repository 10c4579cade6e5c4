/// Which bytes of HTTP/2 are the payload of DATA frames (RFC 9113 §4.1).
///
/// One direction is read, in passing.
///
/// All else, headers above all, is needed to make sense of what follows: a header block that is lost makes those after
/// it unreadable. What says how much of a DATA frame is padding is kept as well.
struct HTTP2Framing: Hashable, Sendable {
    static let headerLength = 9
    private static let data: UInt8 = 0
    private static let settings: UInt8 = 4
    private static let padded: UInt8 = 0x08

    /// The first frame must be SETTINGS, or this is something else (RFC 9113 §3.4).
    private var awaitsSettings: Bool
    private(set) var isOther = false
    /// Of a frame's header.
    private var headerCount = 0
    private var length = 0
    private var type: UInt8 = 0
    private var flags: UInt8 = 0
    private var isPadLengthNext = false
    /// Of its payload.
    private var remaining = 0

    /// - Parameter isKnown: a preface has told it from other protocols; else its first frame does.
    init(isKnown: Bool) { awaitsSettings = !isKnown }

    /// The first of `bytes` that are all payload of a DATA frame, or all something else.
    mutating func next(_ bytes: Span<UInt8>) -> (count: Int, isBody: Bool) {
        if remaining > 0, isPadLengthNext {
            isPadLengthNext = false
            let count = min(1, bytes.count)
            remaining -= count
            return (count, false)
        }
        if remaining > 0 {
            let count = min(remaining, bytes.count)
            remaining -= count
            return (count, type == Self.data)
        }
        var count = 0
        while count < bytes.count, headerCount < Self.headerLength {
            read(bytes[count])
            count += 1
        }
        if headerCount == Self.headerLength {
            headerCount = 0
            remaining = length
            isPadLengthNext = type == Self.data && flags & Self.padded != 0
            if awaitsSettings, type != Self.settings { isOther = true }
            awaitsSettings = false
        }
        return (count, false)
    }

    private mutating func read(_ byte: UInt8) {
        switch headerCount {
        case 0: length = Int(byte)
        case 1, 2: length = length << 8 | Int(byte)
        case 3: type = byte
        case 4: flags = byte
        default: break
        }
        headerCount += 1
    }
}
