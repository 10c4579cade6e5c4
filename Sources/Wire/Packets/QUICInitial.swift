/// The versions of QUIC whose first packets can be read (RFC 9000, RFC 9369).
package enum QUICVersion: UInt32, Hashable, Sendable {
    case v1 = 1
    case v2 = 0x6b33_43cf

    /// Of the long header's type bits.
    fileprivate enum Kind { case initial, zeroRTT, handshake, retry }

    fileprivate func kind(_ first: UInt8) -> Kind {
        let bits = Int(first >> 4) & 3
        // Version 2 moves each by one.
        let order: [Kind] =
            self == .v1 ? [.initial, .zeroRTT, .handshake, .retry] : [.retry, .initial, .zeroRTT, .handshake]
        return order[bits]
    }
}

/// One protected Initial packet of QUIC: what it says in the clear (RFC 9000 §17.2.2).
package struct QUICInitial: Hashable, Sendable {
    package var version: QUICVersion
    package var destinationID: [UInt8]
    /// The whole packet's place in its datagram.
    package var range: Range<Int>
    /// Where the protected packet number begins, from the packet's own start.
    package var packetNumberOffset: Int

    /// An Initial, a 0-RTT and a Handshake packet fill a datagram; more are a mistake or an attack.
    private static let packetLimit = 8
    /// RFC 9000 §17.2: at most 20 bytes in these versions.
    private static let identifierLimit = 20

    /// The Initial packets of one datagram, with others between them passed over.
    package static func all(in bytes: Span<UInt8>) -> [QUICInitial] {
        var found: [QUICInitial] = []
        var start = 0
        for _ in 0..<packetLimit {
            guard let (packet, end) = next(bytes, start) else { break }
            if let packet { found.append(packet) }
            start = end
        }
        return found
    }

    /// A long header of any version: it is how a client of QUIC begins, and nothing else that is common does.
    package static func looksLikeQUIC(_ bytes: Span<UInt8>) -> Bool {
        var cursor = ByteCursor(0..<bytes.count, in: bytes)
        guard let first = cursor.uint8(bytes), first & 0xc0 == 0xc0, let high = cursor.uint16(bytes),
            let low = cursor.uint16(bytes), let destination = cursor.block8(bytes)
        else { return false }
        return (high != 0 || low != 0) && destination.count <= identifierLimit
    }

    /// nil where reading on is impossible: another version, a short header, a cut packet.
    private static func next(_ bytes: Span<UInt8>, _ start: Int) -> (packet: QUICInitial?, end: Int)? {
        var cursor = ByteCursor(start..<bytes.count, in: bytes)
        guard let first = cursor.uint8(bytes), first & 0x80 != 0, let high = cursor.uint16(bytes),
            let low = cursor.uint16(bytes), let version = QUICVersion(rawValue: UInt32(high) << 16 | UInt32(low)),
            let destination = cursor.block8(bytes), destination.count <= identifierLimit,
            let source = cursor.block8(bytes), source.count <= identifierLimit
        else { return nil }
        let kind = version.kind(first)
        // A Retry has no length, and comes from servers alone.
        guard kind != .retry else { return nil }
        if kind == .initial {
            guard let token = cursor.variableLength(bytes), cursor.block(token) != nil else { return nil }
        }
        guard let length = cursor.variableLength(bytes) else { return nil }
        let offset = cursor.at - start
        guard cursor.block(length) != nil else { return nil }
        guard kind == .initial else { return (nil, cursor.at) }
        let packet = QUICInitial(
            version: version, destinationID: [UInt8](copying: bytes, destination), range: start..<cursor.at,
            packetNumberOffset: offset)
        return (packet, cursor.at)
    }
}

/// The bytes of a client's first TLS message, from CRYPTO frames in whatever order.
package struct QUICCryptoStream: Hashable, Sendable {
    /// Servers take at least 4096 bytes (RFC 9000 §7.5), and the largest hellos known have under 2 KiB.
    package static let limit = 16 * 1024

    private var bytes: [UInt8] = []
    private var isKnown: [Bool] = []
    /// All before it is known.
    private var contiguous = 0

    package init() {}

    /// Takes the CRYPTO frames of one packet's plaintext, as far as it can be read.
    package mutating func take(_ frames: [UInt8]) {
        let span = frames.span
        var cursor = ByteCursor(0..<span.count, in: span)
        while let type = cursor.variableLength(span) {
            switch type {
            case 0x00, 0x01: continue
            case 0x02, 0x03: guard Self.skipAcknowledgement(&cursor, span, counts: type == 0x03) else { return }
            case 0x06:
                guard let offset = cursor.variableLength(span), let length = cursor.variableLength(span),
                    let data = cursor.block(length)
                else { return }
                insert([UInt8](copying: span, data), at: offset)
            default: return
            }
        }
    }

    private mutating func insert(_ data: [UInt8], at offset: Int) {
        guard offset <= Self.limit, data.count <= Self.limit - offset else { return }
        let end = offset + data.count
        if bytes.count < end {
            bytes += [UInt8](repeating: 0, count: end - bytes.count)
            isKnown += [Bool](repeating: false, count: end - isKnown.count)
        }
        // What came first stays: a second telling of the same bytes must not change what was read.
        for (index, byte) in data.enumerated() where !isKnown[offset + index] {
            bytes[offset + index] = byte
            isKnown[offset + index] = true
        }
        while contiguous < isKnown.count, isKnown[contiguous] { contiguous += 1 }
    }

    private static func skipAcknowledgement(_ cursor: inout ByteCursor, _ span: Span<UInt8>, counts: Bool) -> Bool {
        guard cursor.variableLength(span) != nil, cursor.variableLength(span) != nil,
            let ranges = cursor.variableLength(span), cursor.variableLength(span) != nil,
            ranges <= cursor.remaining
        else { return false }
        for _ in 0..<(2 * ranges + (counts ? 3 : 0)) { guard cursor.variableLength(span) != nil else { return false } }
        return true
    }

    /// The ClientHello once all of it is there; nil before, and for what is none.
    package var hello: ClientHello? {
        let span = bytes.span
        var cursor = ByteCursor(0..<contiguous, in: span)
        guard cursor.uint8(span) == 1, let length = cursor.uint24(span), length <= cursor.remaining else { return nil }
        return try? ClientHello(parsing: span, 0..<(4 + length))
    }
}

extension ByteCursor {
    /// A number of one, two, four or eight bytes (RFC 9000 §16), where it is one that memory could hold.
    mutating func variableLength(_ bytes: Span<UInt8>) -> Int? {
        guard let first = uint8(bytes) else { return nil }
        var value = UInt64(first & 0x3f)
        for _ in 1..<(1 << (first >> 6)) {
            guard let byte = uint8(bytes) else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return value <= UInt64(Int32.max) ? Int(value) : nil
    }
}
