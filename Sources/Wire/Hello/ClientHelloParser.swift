import Facts

/// Reads a ClientHello from a connection's first bytes, in however many pieces it comes.
///
///     var parser = ClientHelloParser()
///     switch parser.read(everythingReceivedSoFar.span) { … }
///
/// Each call is shown all bytes since the start; nothing is read twice.
package struct ClientHelloParser {
    package enum Result: Hashable, Sendable {
        case needMore
        case complete(ClientHello)
        /// Not a TLS handshake record; SSLv2's hello is none either.
        case notTLS
        case malformed(WireError)
    }

    /// Raw bytes of a hello, record headers included. The largest seen have 2 KiB; a key share of every post-quantum
    /// group that is registered and a session ticket of a few KiB stay below 32.
    package static let limit = 64 * 1024

    private var message = FirstHandshakeMessage(type: 1, limit: Self.limit)

    package init() {}

    package mutating func read(_ accumulated: Span<UInt8>) -> Result {
        do throws(WireError) {
            switch message.read(accumulated) {
            case .needMore: return .needMore
            case .notTLS: return .notTLS
            case .malformed(let error): return .malformed(error)
            case .inPlace(let range): return .complete(try ClientHello(parsing: accumulated, range))
            case .gathered(let bytes): return .complete(try ClientHello(parsing: bytes.span, 0..<bytes.count))
            }
        } catch {
            return .malformed(error)
        }
    }

    package mutating func read(_ accumulated: [UInt8]) -> Result { read(accumulated.span) }
}

extension ClientHello {
    /// Parses a whole handshake message. Lengths must agree everywhere; unknown extensions are taken as they are.
    init(parsing bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
        var cursor = ByteCursor(range, in: bytes)
        guard cursor.uint8(bytes) == 1, cursor.uint24(bytes) == cursor.remaining else {
            throw .truncated(field: "its header")
        }
        length = range.count
        guard let version = cursor.uint16(bytes), let block = cursor.block(HelloRandom.length),
            let random = HelloRandom(bytes, at: block.lowerBound)
        else { throw .truncated(field: "random") }
        legacyVersion = version
        self.random = random
        guard let session = cursor.block8(bytes), session.count <= 32 else { throw .truncated(field: "session id") }
        hasSessionID = !session.isEmpty
        guard let suites = cursor.block16(bytes), !suites.isEmpty else { throw .truncated(field: "cipher suites") }
        cipherSuites = try Self.values(bytes, suites, "cipher suites")
        isGreased = cipherSuites.count < suites.count / 2
        guard let compression = cursor.block8(bytes), !compression.isEmpty else {
            throw .truncated(field: "compression methods")
        }

        extensionTypes = []
        serverName = .absent
        alpnProtocols = []
        guard cursor.remaining > 0 else { return }  // SSL 3.0 and TLS 1.0 know hellos without extensions
        guard let extensions = cursor.block16(bytes), cursor.remaining == 0 else {
            throw .truncated(field: "extensions")
        }
        try parseExtensions(bytes, extensions)
    }

    private mutating func parseExtensions(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
        var cursor = ByteCursor(range, in: bytes)
        var seenALPN = false
        while cursor.remaining > 0 {
            guard let type = cursor.uint16(bytes), let body = cursor.block16(bytes) else {
                throw .truncated(field: "extensions")
            }
            if GREASE.contains(type) {
                isGreased = true
                continue
            }
            extensionTypes.append(type)
            // Only what is interpreted is checked for repetition: two readers that each took another one would see
            // two different hellos.
            switch type {
            case ExtensionType.serverName:
                guard serverName == .absent else { throw .repeatedExtension(type) }
                serverName = Self.serverName(bytes, body)
            case ExtensionType.alpn:
                guard !seenALPN else { throw .repeatedExtension(type) }
                seenALPN = true
                alpnProtocols = try Self.alpn(bytes, body)
            case ExtensionType.supportedVersions:
                guard supportedVersions == nil else { throw .repeatedExtension(type) }
                var inner = ByteCursor(body, in: bytes)
                guard let list = inner.block8(bytes), inner.remaining == 0 else {
                    throw .truncated(field: "supported versions")
                }
                supportedVersions = try Self.values(bytes, list, "supported versions")
            case ExtensionType.supportedGroups:
                guard supportedGroups == nil else { throw .repeatedExtension(type) }
                supportedGroups = try Self.list(bytes, body, "supported groups")
            case ExtensionType.signatureAlgorithms:
                guard signatureAlgorithms == nil else { throw .repeatedExtension(type) }
                signatureAlgorithms = try Self.list(bytes, body, "signature algorithms")
            // Looked at by `StackRecogniser` alone, so that what cannot be read is as good as absent.
            case ExtensionType.pointFormats:
                var inner = ByteCursor(body, in: bytes)
                if let list = inner.block8(bytes) { pointFormats = [UInt8](copying: bytes, list) }
            case ExtensionType.compressCertificate:
                var inner = ByteCursor(body, in: bytes)
                if let list = inner.block8(bytes) {
                    certificateCompression = (try? Self.values(bytes, list, "compression")) ?? []
                }
            default: break
            }
        }
    }

    private static func list(
        _ bytes: Span<UInt8>, _ body: Range<Int>, _ field: String
    ) throws(WireError) -> [UInt16] {
        var cursor = ByteCursor(body, in: bytes)
        guard let list = cursor.block16(bytes), cursor.remaining == 0 else { throw .truncated(field: field) }
        return try values(bytes, list, field)
    }

    private static func values(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ field: String
    ) throws(WireError) -> [UInt16] {
        guard range.count.isMultiple(of: 2) else { throw .truncated(field: field) }
        var out: [UInt16] = []
        out.reserveCapacity(range.count / 2)
        var cursor = ByteCursor(range, in: bytes)
        while let value = cursor.uint16(bytes) {
            if !GREASE.contains(value) { out.append(value) }
        }
        return out
    }

    /// The first host_name of the list (RFC 6066 §3). An unreadable list is invalid, never absent.
    private static func serverName(_ bytes: Span<UInt8>, _ body: Range<Int>) -> ServerName {
        var cursor = ByteCursor(body, in: bytes)
        guard let list = cursor.block16(bytes), cursor.remaining == 0 else { return .invalid }
        var names = ByteCursor(list, in: bytes)
        var found: Range<Int>?
        while names.remaining > 0 {
            guard let type = names.uint8(bytes), let name = names.block16(bytes) else { return .invalid }
            guard type == 0 else { continue }
            guard found == nil else { return .invalid }
            found = name
        }
        // 253 bytes of a name and a final dot.
        guard let found, found.count <= 254,
            let host = HostName(String(decoding: [UInt8](copying: bytes, found), as: UTF8.self))
        else { return .invalid }
        return .host(host)
    }

    private static func alpn(_ bytes: Span<UInt8>, _ body: Range<Int>) throws(WireError) -> [[UInt8]] {
        var cursor = ByteCursor(body, in: bytes)
        guard let list = cursor.block16(bytes), cursor.remaining == 0 else { throw .truncated(field: "ALPN") }
        var protocols: [[UInt8]] = []
        var names = ByteCursor(list, in: bytes)
        while names.remaining > 0 {
            guard let name = names.block8(bytes) else { throw .truncated(field: "ALPN") }
            protocols.append([UInt8](copying: bytes, name))
        }
        return protocols
    }
}
