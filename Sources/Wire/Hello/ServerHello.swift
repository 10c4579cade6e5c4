import Facts

/// What the server's first message decides.
package struct ServerHello: Hashable, Sendable {
    package var version: TLSVersion
    package var cipherSuite: UInt16
    /// A HelloRetryRequest: the client answers with a second ClientHello.
    package var isRetryRequest: Bool

    /// SHA-256 of "HelloRetryRequest", which stands for the random (RFC 8446 §4.1.3).
    private static let retryRandom: [UInt8] = [
        0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
        0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
    ]

    init(parsing bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
        var cursor = ByteCursor(range, in: bytes)
        guard cursor.uint8(bytes) == 2, cursor.uint24(bytes) == cursor.remaining else {
            throw .truncated(field: "its header")
        }
        guard var selected = cursor.uint16(bytes), let random = cursor.block(32) else {
            throw .truncated(field: "random")
        }
        guard cursor.block8(bytes) != nil else { throw .truncated(field: "session id") }
        guard let suite = cursor.uint16(bytes), cursor.uint8(bytes) != nil else {
            throw .truncated(field: "cipher suite")
        }
        if cursor.remaining > 0 {
            guard let extensions = cursor.block16(bytes), cursor.remaining == 0 else {
                throw .truncated(field: "extensions")
            }
            var inner = ByteCursor(extensions, in: bytes)
            while inner.remaining > 0 {
                guard let type = inner.uint16(bytes), let body = inner.block16(bytes) else {
                    throw .truncated(field: "extensions")
                }
                guard type == ExtensionType.supportedVersions else { continue }
                var value = ByteCursor(body, in: bytes)
                guard let version = value.uint16(bytes), value.remaining == 0 else {
                    throw .truncated(field: "supported versions")
                }
                selected = version
            }
        }
        guard let version = TLSVersion(rawValue: selected) else { throw .unknownVersion(selected) }
        self.version = version
        cipherSuite = suite
        isRetryRequest = [UInt8](copying: bytes, random) == Self.retryRandom
    }
}

/// Reads the ServerHello out of the first bytes of a server, as they pass by.
package struct ServerHelloReader {
    private enum State {
        case reading
        case found(ServerHello)
        /// An alert in its place, not TLS, too long or malformed.
        case nothing
    }

    /// A ServerHello has 100 bytes, and 1.7 KiB with the largest post-quantum key share.
    static let limit = 4 * 1024

    private var state = State.reading
    private var message = FirstHandshakeMessage(type: 2, limit: Self.limit)
    /// Empty as long as the first piece is enough, which it nearly always is.
    private var pieces: [UInt8] = []

    package init() {}

    package var hello: ServerHello? {
        if case .found(let hello) = state { hello } else { nil }
    }

    /// Nothing more will come of feeding it.
    package var isDone: Bool {
        if case .reading = state { false } else { true }
    }

    /// Takes the next bytes in the order of the stream.
    package mutating func feed(_ bytes: Span<UInt8>) {
        guard case .reading = state, !bytes.isEmpty else { return }
        if pieces.isEmpty {
            advance(bytes)
            if case .reading = state { pieces.append(copying: bytes, 0..<Self.limit) }
        } else {
            pieces.append(copying: bytes, 0..<(Self.limit - pieces.count))
            let sofar = pieces
            advance(sofar.span)
        }
    }

    private mutating func advance(_ bytes: Span<UInt8>) {
        do throws(WireError) {
            switch message.read(bytes) {
            case .needMore: break
            case .notTLS, .malformed: state = .nothing
            case .inPlace(let range): state = .found(try ServerHello(parsing: bytes, range))
            case .gathered(let whole): state = .found(try ServerHello(parsing: whole.span, 0..<whole.count))
            }
        } catch {
            state = .nothing
        }
    }
}
