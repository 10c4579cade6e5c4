import Facts

/// Reads the messages of gRPC, gRPC-Web and Connect's streams.
///
/// Five bytes stand before each: a flag, and its length.
/// gRPC: "Length-Prefixed-Message" of `PROTOCOL-HTTP2.md`; gRPC-Web: trailers come as a last frame (`PROTOCOL-WEB.md`);
/// Connect: the last frame is JSON (`EndStreamResponse`).
struct FramedMessageReader {
    enum Dialect: Hashable { case grpc, grpcWeb, connect }

    private enum Flag {
        static let compressed: UInt8 = 0x01
        static let connectEnd: UInt8 = 0x02
        static let webTrailers: UInt8 = 0x80
    }

    private static let headerLength = 5

    private let direction: ExchangeDirection
    private let dialect: Dialect
    /// For each message anew, with the most bytes that may come out of it; nil where no compression was agreed on.
    private let decoder: ((Int) -> (any ContentDecoder)?)?

    /// Bytes that may still come out of compressed messages.
    private var decodedLeft: Int
    /// What comes on the wire earns so many of them for each of its bytes: no compression that carries something does better.
    private static let earned = DecodingBudget.growth
    private let isEarning: Bool
    /// Bytes of messages that were found, after which what they are in is not read on before they have been taken.
    private static let foundLimit = 1024 * 1024
    /// Of trailers in the content, in all: as of HTTP/1's.
    private static let trailerLimit = 64 * 1024

    private var headerCount = 0
    private var flag: UInt8 = 0
    private var remaining = 0
    private var message = MessageBytes()
    /// Of gRPC-Web, in the content.
    private(set) var trailers: [HeaderField] = []
    private var trailerBytes = 0
    /// A flag that the dialect has not, or a head that is missing: nothing more can be read.
    private(set) var isLost = false

    init(
        _ direction: ExchangeDirection, _ dialect: Dialect, decodedLimit: Int = .max, isEarning: Bool = false,
        decoder: ((Int) -> (any ContentDecoder)?)?
    ) {
        decodedLeft = decodedLimit
        self.isEarning = isEarning
        self.direction = direction
        self.dialect = dialect
        self.decoder = decoder
    }

    var held: Int { message.data.count }

    /// Nothing more is read; its trailers stay.
    mutating func drop() {
        isLost = true
        message = MessageBytes()
    }

    /// - Returns: how many of the bytes were read; all, where they had no large messages in them.
    @discardableResult
    mutating func read(_ bytes: ArraySlice<UInt8>, _ messages: inout [ExchangeMessage]) -> Int {
        var rest = bytes
        var (found, seen) = (0, messages.count)
        while !rest.isEmpty, !isLost, found < Self.foundLimit {
            if headerCount < Self.headerLength {
                let byte = rest.removeFirst()
                if headerCount == 0 { flag = byte } else { remaining = remaining << 8 | Int(byte) }
                headerCount += 1
                isLost = flag & ~allowed != 0
            } else {
                let part = rest.prefix(remaining)
                message.append(part)
                remaining -= part.count
                rest = rest.dropFirst(part.count)
            }
            if headerCount == Self.headerLength, remaining == 0, !isLost { messageEnded(&messages) }
            if messages.count > seen {
                found += messages.last?.data.count ?? 0
                seen = messages.count
            }
        }
        return isLost ? bytes.count : bytes.count - rest.count
    }

    /// Where messages end is known as long as no head is missing.
    mutating func shed(_ count: Int, _ messages: inout [ExchangeMessage]) {
        guard !isLost else { return }
        guard headerCount == Self.headerLength, count <= remaining else {
            end(&messages)
            isLost = true
            return
        }
        message.miss(count)
        remaining -= count
        if remaining == 0 { messageEnded(&messages) }
    }

    /// A message of which the end is missing is shown as cut off.
    mutating func end(_ messages: inout [ExchangeMessage]) {
        guard headerCount == Self.headerLength, !isLost else { return }
        message.miss(remaining)
        remaining = 0
        messageEnded(&messages)
    }

    private var allowed: UInt8 {
        switch dialect {
        case .grpc: Flag.compressed
        case .grpcWeb: Flag.compressed | Flag.webTrailers
        case .connect: Flag.compressed | Flag.connectEnd
        }
    }

    private mutating func messageEnded(_ messages: inout [ExchangeMessage]) {
        let found = decoded()
        if flag & Flag.webTrailers != 0 {
            trailerBytes += found.data.count
            guard trailerBytes <= Self.trailerLimit else { return drop() }
            trailers += HTTP1Head.trailers(found.data[...])
        } else {
            messages.append(found)
        }
        headerCount = 0
        message = MessageBytes()
    }

    private mutating func decoded() -> ExchangeMessage {
        let isEnd = flag & Flag.connectEnd != 0
        var found = ExchangeMessage(
            from: direction, isEnd ? .text : .grpc, name: isEnd ? "end-stream" : nil, message.data,
            size: message.size, isCut: message.isCut)
        guard flag & Flag.compressed != 0, message.size > 0 else { return found }
        if isEarning { decodedLeft += Self.earned * message.data.count }
        guard decodedLeft > 0, let decoder = decoder?(min(ExchangeMessage.sizeLimit, decodedLeft)),
            let data = try? decoder.decode(message.data[...])
        else {
            found.isCut = true
            return found
        }
        // Brotli fills a window of 16 MiB before it hands out the first byte: what was cut has cost that, whatever was asked for.
        decodedLeft -= decoder.isCut ? ExchangeMessage.sizeLimit : data.count
        found.data = data
        found.size = data.count
        found.isCut = message.isCut || decoder.isCut || !decoder.isWhole
        return found
    }
}
