import Facts
import Wire

/// Reads the frames of one direction of HTTP/2, cut anywhere (RFC 9113 §4).
///
/// Content is passed on as it comes; of all else so much is held as it takes to read it. Frames that nobody could act
/// on (PING, PRIORITY, WINDOW_UPDATE, unknown ones) are passed over.
struct HTTP2FrameReader {
    enum Event: Hashable {
        /// Content of a stream, without padding; `ends` with its last byte, or behind it.
        case data(stream: Int, ArraySlice<UInt8>, ends: Bool)
        /// With the bytes as they were on the wire.
        case block(HTTP2HeaderBlock, wire: [UInt8])
        case settings(HTTP2Settings)
        case settingsAccepted
        case reset(stream: Int, code: UInt32)
        /// With as much as there is of a text to it.
        case goAway(last: Int, code: UInt32, text: [UInt8])
        /// Nothing more can be read; of the bytes read so far these belong to what makes no sense.
        case fault(stream: Int?, wire: [UInt8], why: String)
    }

    /// Of a header block on the wire: what Chromium takes of HTTP/1; servers take 8 to 64 KiB.
    static let blockLimit = 256 * 1024
    /// Kept of the text in GOAWAY: a line.
    static let textLimit = 120

    private var prefaceLeft: ArraySlice<UInt8>
    private var frame = HTTP2Frame()
    private var headerCount = 0
    private var isFirst = true
    /// Of the payload, padding included.
    private var remaining = 0
    private var padding = 0
    private var awaitsPadding = false
    /// Of a header block that is not whole, its wire bytes; else the part of a payload that is being read.
    private var held: [UInt8] = []
    private var settings = HTTP2Settings()
    /// Whose header block is not whole.
    private var blockStream: Int?
    /// Bytes of this direction so far.
    private(set) var count = 0
    private(set) var isLost = false

    /// The largest payload that the other side takes (SETTINGS_MAX_FRAME_SIZE).
    var frameLimit = 16 * 1024
    /// The highest streams that have begun: the client's, which are odd, and pushed ones.
    var begun = (odd: 0, even: 0)
    /// Streams may have begun that are not known, as the other direction is lost.
    var knowsStreams = true
    /// The client's direction: it begins streams.
    private let isClient: Bool

    init(_ direction: ExchangeDirection) {
        isClient = direction == .up
        prefaceLeft = isClient ? HTTP2Reader.preface[...] : []
    }

    /// Header blocks that are held, with the bytes of a frame's header that is not whole; for the connection's end.
    var unfinishedBlock: (stream: Int, wire: [UInt8])? {
        guard let blockStream else { return nil }
        return (blockStream, inPayload ? held : held + frame.bytes.prefix(headerCount))
    }

    private var inPayload: Bool { headerCount == HTTP2Frame.headerLength }

    /// Reads the first of `bytes`, and tells what they are; nothing after a fault.
    ///
    /// - Returns: how many were read; some, if there are any.
    mutating func next(_ bytes: ArraySlice<UInt8>) -> (count: Int, event: Event?) {
        guard !isLost, !bytes.isEmpty else { return (0, nil) }
        if !prefaceLeft.isEmpty { return readPreface(bytes) }
        return inPayload ? readPayload(bytes) : readHeader(bytes)
    }

    /// Bytes of a payload of DATA that were left out.
    ///
    /// - Returns: how many of them were content, and of which stream; nil where there are none that may be left out.
    mutating func shed(_ missing: Int) -> (stream: Int, content: Int, ends: Bool)? {
        guard inPayload, frame.kind == HTTP2Frame.Kind.data, missing <= remaining else { return nil }
        // What says how much is padding is never left out, unless somebody else than the relay cut it.
        awaitsPadding = false
        let content = min(missing, remaining - padding)
        count += missing
        remaining -= missing
        padding = min(padding, remaining)
        if remaining == 0 { headerCount = 0 }
        return (frame.stream, content, remaining == 0 && frame.has(HTTP2Frame.Flag.endStream))
    }

    /// Nothing more is read.
    private mutating func fail(_ why: String, stream: Int?, wire: [UInt8]) -> Event {
        isLost = true
        held = []
        blockStream = nil
        return .fault(stream: stream, wire: wire, why: why)
    }

    // MARK: Frames

    private mutating func readPreface(_ bytes: ArraySlice<UInt8>) -> (count: Int, event: Event?) {
        var read = 0
        while read < bytes.count, let expected = prefaceLeft.first {
            guard bytes[bytes.startIndex + read] == expected else {
                count += read
                let before = HTTP2Reader.preface.prefix(HTTP2Reader.preface.count - prefaceLeft.count)
                return (read, fail("it does not begin as HTTP/2", stream: nil, wire: Array(before)))
            }
            prefaceLeft.removeFirst()
            read += 1
        }
        count += read
        return (read, nil)
    }

    private mutating func readHeader(_ bytes: ArraySlice<UInt8>) -> (count: Int, event: Event?) {
        let part = bytes.prefix(HTTP2Frame.headerLength - headerCount)
        for byte in part {
            frame.take(byte, at: headerCount)
            headerCount += 1
        }
        count += part.count
        return (part.count, inPayload ? begin() : nil)
    }

    private mutating func begin() -> Event? {
        if let why = fault { return fail(why, stream: blockStream ?? streamOfFault, wire: held + frame.bytes) }
        isFirst = false
        remaining = frame.length
        padding = 0
        awaitsPadding = false
        switch frame.kind {
        case HTTP2Frame.Kind.data: awaitsPadding = frame.has(HTTP2Frame.Flag.padded)
        case HTTP2Frame.Kind.headers, HTTP2Frame.Kind.push, HTTP2Frame.Kind.continuation:
            blockStream = frame.stream
            held += frame.bytes
        default: break
        }
        return remaining == 0 ? ended() : nil
    }

    /// A fault of a frame on a stream that nobody knows is the connection's, but for one that begins it.
    private var streamOfFault: Int? {
        frame.stream == 0 || isUnknown && frame.kind != HTTP2Frame.Kind.headers ? nil : frame.stream
    }

    private var fault: String? {
        if isFirst, frame.kind != HTTP2Frame.Kind.settings || frame.has(HTTP2Frame.Flag.ack) {
            return "it does not begin with SETTINGS of HTTP/2"
        }
        if frame.length > frameLimit {
            return "a frame of \(frame.length) bytes, where the other side takes \(frameLimit)"
        }
        if let blockStream, frame.kind != HTTP2Frame.Kind.continuation || frame.stream != blockStream {
            return "a header block is interrupted by a frame of type \(frame.kind)"
        }
        if blockStream == nil, frame.kind == HTTP2Frame.Kind.continuation { return "CONTINUATION of nothing" }
        if let why = frame.fault { return why }
        switch frame.kind {
        case HTTP2Frame.Kind.headers:
            if isClient, frame.stream.isMultiple(of: 2), frame.stream > begun.even { return unknownStream }
            if !isClient, isUnknown { return unknownStream }
        case HTTP2Frame.Kind.push:
            if isClient { return "a push by the client" }
            if isUnknown { return unknownStream }
        case HTTP2Frame.Kind.data, HTTP2Frame.Kind.reset: if isUnknown { return unknownStream }
        case HTTP2Frame.Kind.continuation: break
        default: return nil
        }
        if held.count + HTTP2Frame.headerLength + frame.length > Self.blockLimit,
            frame.kind != HTTP2Frame.Kind.data, frame.kind != HTTP2Frame.Kind.reset
        {
            return "a header block of more than \(Self.blockLimit) bytes"
        }
        return nil
    }

    private var isUnknown: Bool {
        knowsStreams && frame.stream > (frame.stream.isMultiple(of: 2) ? begun.even : begun.odd)
    }
    private var unknownStream: String { "a frame of type \(frame.kind) on stream \(frame.stream), which has not begun" }

    // MARK: Payloads

    private mutating func readPayload(_ bytes: ArraySlice<UInt8>) -> (count: Int, event: Event?) {
        switch frame.kind {
        case HTTP2Frame.Kind.data: return readData(bytes)
        case HTTP2Frame.Kind.settings: return readSettings(bytes)
        case HTTP2Frame.Kind.headers, HTTP2Frame.Kind.push, HTTP2Frame.Kind.continuation:
            let part = pass(bytes, remaining)
            held += part
            return (part.count, remaining == 0 ? ended() : nil)
        case HTTP2Frame.Kind.reset, HTTP2Frame.Kind.goAway:
            let part = pass(bytes, remaining)
            held += part.prefix(max(0, 8 + Self.textLimit - held.count))
            return (part.count, remaining == 0 ? ended() : nil)
        default:
            let part = pass(bytes, remaining)
            return (part.count, remaining == 0 ? ended() : nil)
        }
    }

    private mutating func pass(_ bytes: ArraySlice<UInt8>, _ limit: Int) -> ArraySlice<UInt8> {
        let part = bytes.prefix(min(limit, remaining))
        count += part.count
        remaining -= part.count
        return part
    }

    private mutating func readData(_ bytes: ArraySlice<UInt8>) -> (count: Int, event: Event?) {
        if awaitsPadding {
            awaitsPadding = false
            let part = pass(bytes, 1)
            padding = part.first.map { Int($0) } ?? 0
            if padding > remaining {
                return (
                    1, fail("padding that is longer than its frame", stream: frame.stream, wire: frame.bytes + part)
                )
            }
            return (1, remaining == 0 ? ended() : nil)
        }
        if remaining > padding {
            let part = pass(bytes, remaining - padding)
            if remaining == 0 { headerCount = 0 }
            let ends = remaining == 0 && frame.has(HTTP2Frame.Flag.endStream)
            return (part.count, .data(stream: frame.stream, part, ends: ends))
        }
        let part = pass(bytes, remaining)
        return (part.count, remaining == 0 ? ended() : nil)
    }

    private mutating func readSettings(_ bytes: ArraySlice<UInt8>) -> (count: Int, event: Event?) {
        let part = pass(bytes, HTTP2Settings.entryLength - held.count)
        held += part
        if held.count == HTTP2Settings.entryLength {
            settings.take(held)
            held.removeAll(keepingCapacity: true)
        }
        return (part.count, remaining == 0 ? ended() : nil)
    }

    /// The frame is over.
    private mutating func ended() -> Event? {
        headerCount = 0
        switch frame.kind {
        case HTTP2Frame.Kind.data:
            return .data(stream: frame.stream, [], ends: frame.has(HTTP2Frame.Flag.endStream))
        case HTTP2Frame.Kind.headers, HTTP2Frame.Kind.push, HTTP2Frame.Kind.continuation:
            guard frame.has(HTTP2Frame.Flag.endHeaders) else { return nil }
            let wire = held
            held = []
            blockStream = nil
            guard let block = HTTP2HeaderBlock(wire) else {
                return fail("padding or a priority that does not fit into its frame", stream: frame.stream, wire: wire)
            }
            return .block(block, wire: wire)
        case HTTP2Frame.Kind.settings:
            defer { settings = HTTP2Settings() }
            return frame.has(HTTP2Frame.Flag.ack) ? .settingsAccepted : .settings(settings)
        case HTTP2Frame.Kind.reset:
            defer { held = [] }
            return .reset(stream: frame.stream, code: Self.number(held[...]))
        case HTTP2Frame.Kind.goAway:
            defer { held = [] }
            return .goAway(
                last: Int(Self.number(held.prefix(4)) & 0x7fff_ffff), code: Self.number(held.dropFirst(4).prefix(4)),
                text: Array(held.dropFirst(8)))
        default: return nil
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
