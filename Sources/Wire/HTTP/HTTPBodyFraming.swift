/// How the end of an HTTP/1 message's content is known (RFC 9112 §6.3).
package enum HTTPBodyLength: Hashable, Sendable {
    case none
    case length(Int)
    case chunked
    /// It ends with the connection; only answers do.
    case untilClose
}

/// Which bytes are a message's content: counted as they pass, neither kept nor looked at.
///
/// What surrounds chunks is read strictly, as hardly anybody writes it sloppily, and readers that were lenient in different
/// ways would find different messages in it; or as receivers take it, whose lines may end with LF alone (RFC 9112 §2.2).
struct HTTPBodyFraming: Hashable, Sendable {
    private enum State: Hashable {
        case content(remaining: Int, isChunk: Bool)
        case untilClose
        case sizeDigits(count: Int)
        case sizeSpace
        case sizeExtension
        case sizeLineFeed
        case chunkReturn
        case chunkLineFeed
        case trailerStart
        case trailerLine
        case trailerLineFeed
        case lastLineFeed
        case complete
    }

    /// Of a chunk's size: 60 bits, so that it fits into an Int.
    static let digitLimit = 15
    /// Of a line with a chunk's size: extensions are all but unused, and servers take 4 to 16 KiB of them.
    static let sizeLineLimit = 4 * 1024
    /// Of all trailer fields: as servers take it for a whole head.
    static let trailerLimit = 64 * 1024

    private var state: State
    private var size = 0
    private let asReceivers: Bool
    /// Of the size line or the trailers, so far.
    private var framing = 0
    /// Where two readers could part ways; from there on everything belongs to this message.
    private(set) var fault: HTTPFramingFault?

    init(_ length: HTTPBodyLength, asReceivers: Bool = false) {
        self.asReceivers = asReceivers
        switch length {
        case .none: state = .complete
        case .length(let count): state = count > 0 ? .content(remaining: count, isChunk: false) : .complete
        case .chunked: state = .sizeDigits(count: 0)
        case .untilClose: state = .untilClose
        }
    }

    var isComplete: Bool { state == .complete }
    var endsWithConnection: Bool { state == .untilClose }

    /// The first bytes that are all content, or all framing; none when the message is complete.
    mutating func next(_ bytes: Span<UInt8>) -> (count: Int, isContent: Bool) {
        switch state {
        case .complete: return (0, false)
        case .untilClose: return (bytes.count, true)
        case .content(let remaining, let isChunk):
            let count = min(remaining, bytes.count)
            if count < remaining {
                state = .content(remaining: remaining - count, isChunk: isChunk)
            } else {
                state = isChunk ? .chunkReturn : .complete
            }
            return (count, true)
        default:
            var count = 0
            while count < bytes.count, isInFraming {
                read(bytes[count])
                count += 1
            }
            return (count, false)
        }
    }

    private var isInFraming: Bool {
        switch state {
        case .content, .untilClose, .complete: false
        default: true
        }
    }

    private mutating func read(_ byte: UInt8) {
        framing += 1
        switch state {
        case .sizeDigits(let count):
            if let digit = Self.hex(byte) {
                guard count < Self.digitLimit, framing <= Self.sizeLineLimit else { return fail(.chunkSize) }
                size = size << 4 | digit
                // Zeros before the first other digit are as many as anybody likes (RFC 9112 §7.1).
                state = .sizeDigits(count: size == 0 ? 1 : count + 1)
            } else if count > 0 {
                sizeEnded(byte)
            } else {
                fail(.chunkSize)
            }
        case .sizeSpace: sizeEnded(byte)
        case .sizeExtension:
            switch byte {
            case Self.cr: state = .sizeLineFeed
            case Self.lf where asReceivers: sizeLineEnded()
            case Self.lf: fail(.chunkSize)
            default: if framing > Self.sizeLineLimit { fail(.chunkSize) }
            }
        case .sizeLineFeed:
            if byte == Self.lf { sizeLineEnded() } else { fail(.chunkSize) }
        case .chunkReturn:
            if byte == Self.lf, asReceivers { chunkEnded() } else { expect(byte, Self.cr, .chunkLineFeed, .chunkEnd) }
        case .chunkLineFeed: if byte == Self.lf { chunkEnded() } else { fail(.chunkEnd) }
        case .trailerStart:
            switch byte {
            case Self.cr: state = .lastLineFeed
            case Self.lf: if asReceivers { state = .complete } else { fail(.trailers) }
            default: state = .trailerLine
            }
        case .trailerLine:
            if byte == Self.cr { state = .trailerLineFeed }
            if byte == Self.lf { if asReceivers { state = .trailerStart } else { fail(.trailers) } }
            if framing > Self.trailerLimit { fail(.trailers) }
        case .trailerLineFeed: expect(byte, Self.lf, .trailerStart, .trailers)
        case .lastLineFeed: expect(byte, Self.lf, .complete, .trailers)
        case .content, .untilClose, .complete: break
        }
    }

    /// What may follow the digits: white space (old servers pad them), an extension, the line's end.
    private mutating func sizeEnded(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"): state = .sizeSpace
        case UInt8(ascii: ";"): state = .sizeExtension
        case Self.cr: state = .sizeLineFeed
        case Self.lf where asReceivers: return sizeLineEnded()
        default: fail(.chunkSize)
        }
        if framing > Self.sizeLineLimit { fail(.chunkSize) }
    }

    private mutating func sizeLineEnded() {
        state = size == 0 ? .trailerStart : .content(remaining: size, isChunk: true)
        framing = 0
    }

    private mutating func chunkEnded() {
        size = 0
        framing = 0
        state = .sizeDigits(count: 0)
    }

    private mutating func expect(_ byte: UInt8, _ wanted: UInt8, _ next: State, _ fault: HTTPFramingFault) {
        if byte == wanted { state = next } else { fail(fault) }
    }

    private mutating func fail(_ fault: HTTPFramingFault) {
        self.fault = fault
        state = .untilClose
    }

    private static let cr = UInt8(ascii: "\r")
    private static let lf = UInt8(ascii: "\n")

    private static func hex(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x41 + 10
        case 0x61...0x66: Int(byte) - 0x61 + 10
        default: nil
        }
    }
}
