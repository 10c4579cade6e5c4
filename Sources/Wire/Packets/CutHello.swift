import Facts

/// The beginning of a ClientHello, as far as one segment holds it.
struct CutHello: Hashable, Sendable {
    /// Nil: it is not among what is there. Extensions stand in any order, and a post-quantum key share alone fills a segment.
    private(set) var name: HostName?

    /// Nil: it is no beginning of one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.header, bytes[0] == 22, bytes[1] == 3, bytes[Self.header] == 1 else { return nil }
        let message = Self.fragments(of: bytes)
        name = Self.name(in: message.span)
    }

    /// What of the handshake message is in its records.
    private static func fragments(of bytes: [UInt8]) -> [UInt8] {
        var (message, rest): ([UInt8], _) = ([], bytes[...])
        while rest.count > header, rest[rest.startIndex] == 22 {
            let length = Int(rest[rest.startIndex + 3]) << 8 | Int(rest[rest.startIndex + 4])
            let fragment = rest.dropFirst(header).prefix(length)
            message += fragment
            rest = rest[fragment.endIndex...]
        }
        return message
    }

    private static func name(in bytes: Span<UInt8>) -> HostName? {
        var cursor = ByteCursor(0..<bytes.count, in: bytes)
        // Type, length, version and random (RFC 8446 §4.1.2).
        guard cursor.block(4 + 2 + 32) != nil, cursor.block8(bytes) != nil, cursor.block16(bytes) != nil,
            cursor.block8(bytes) != nil, cursor.uint16(bytes) != nil
        else { return nil }
        while let type = cursor.uint16(bytes), let body = cursor.block16(bytes) {
            guard type == ExtensionType.serverName else { continue }
            var list = ByteCursor(body, in: bytes)
            guard list.uint16(bytes) != nil, list.uint8(bytes) == 0, let name = list.block16(bytes) else { return nil }
            return HostName(String(decoding: [UInt8](copying: bytes, name), as: UTF8.self))
        }
        return nil
    }

    /// Bytes before a record's fragment.
    private static let header = 5
}
