/// Makes ClientHellos for tests, well-formed unless told otherwise.
struct HelloBuilder {
    var legacyVersion: UInt16 = 0x0303
    var sessionID: [UInt8] = []
    var cipherSuites: [UInt16] = [0x1301, 0xc02b, 0xc02f]
    var extensions: [(type: UInt16, body: [UInt8])] = []
    var hasExtensions = true

    static func be(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    static func vector16(_ bytes: [UInt8]) -> [UInt8] { be(UInt16(bytes.count)) + bytes }
    static func vector8(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count)] + bytes }

    static func sni(_ name: String) -> (UInt16, [UInt8]) { (0, vector16([0] + vector16(Array(name.utf8)))) }
    static func alpn(_ names: [[UInt8]]) -> (UInt16, [UInt8]) { (16, vector16(names.flatMap { vector8($0) })) }
    static func alpn(_ names: [String]) -> (UInt16, [UInt8]) { alpn(names.map { Array($0.utf8) }) }
    static func versions(_ values: [UInt16]) -> (UInt16, [UInt8]) { (43, vector8(values.flatMap(be))) }
    static func groups(_ values: [UInt16]) -> (UInt16, [UInt8]) { (10, vector16(values.flatMap(be))) }
    static func algorithms(_ values: [UInt16]) -> (UInt16, [UInt8]) { (13, vector16(values.flatMap(be))) }
    static func padding(_ length: Int) -> (UInt16, [UInt8]) { (21, [UInt8](repeating: 0, count: length)) }

    /// The handshake message with its header.
    var message: [UInt8] {
        var body = Self.be(legacyVersion) + [UInt8](repeating: 7, count: 32) + Self.vector8(sessionID)
        body += Self.vector16(cipherSuites.flatMap(Self.be)) + [1, 0]
        if hasExtensions { body += Self.vector16(extensions.flatMap { Self.be($0.type) + Self.vector16($0.body) }) }
        return [1, UInt8(body.count >> 16), UInt8(body.count >> 8 & 255), UInt8(body.count & 255)] + body
    }

    /// In records of at most `size` bytes.
    func records(of size: Int = 1 << 14) -> [UInt8] { Self.records(message, of: size) }

    static func records(_ message: [UInt8], type: UInt8 = 22, of size: Int = 1 << 14) -> [UInt8] {
        stride(from: 0, to: message.count, by: size).flatMap { start in
            let piece = message[start..<min(start + size, message.count)]
            return [type, 3, 1] + be(UInt16(piece.count)) + piece
        }
    }
}
