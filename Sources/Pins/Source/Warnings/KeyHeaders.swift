/// SubjectPublicKeyInfo headers that stand in code (RFC 5280 §4.1).
///
/// One is put before a raw key so that its hash is that of the whole.
/// Apple gives an app the bare key. A header is that of one kind and size of key: a server that moves to another kind
/// has, for such an app, a pin that matches nothing.
enum KeyHeaders {
    static let words = [
        "0x30", "0X30", "48", "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE",
        "30820122300d06092a864886f70d01010105000382010f00", "30820122300D06092A864886F70D01010105000382010F00",
    ]

    private struct Header {
        var name: String
        var isEllipticCurve: Bool
        var bytes: [Int]
    }

    /// RFC 8017 §A.1 and RFC 5480 §2.1.1, with the lengths of the sizes that are in use.
    private static let headers: [Header] = [
        Header(
            name: "RSA-2048", isEllipticCurve: false,
            bytes: rsa([0x30, 0x82, 0x01, 0x22], [0x03, 0x82, 0x01, 0x0f, 0x00])),
        Header(
            name: "RSA-3072", isEllipticCurve: false,
            bytes: rsa([0x30, 0x82, 0x01, 0xa2], [0x03, 0x82, 0x01, 0x8f, 0x00])),
        Header(
            name: "RSA-4096", isEllipticCurve: false,
            bytes: rsa([0x30, 0x82, 0x02, 0x22], [0x03, 0x82, 0x02, 0x0f, 0x00])),
        Header(
            name: "EC-P256", isEllipticCurve: true,
            bytes: [
                0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
                0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
            ]),
        Header(
            name: "EC-P384", isEllipticCurve: true,
            bytes: [
                0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b, 0x81,
                0x04, 0x00, 0x22, 0x03, 0x62, 0x00,
            ]),
    ]

    private static func rsa(_ start: [Int], _ end: [Int]) -> [Int] {
        start + [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00] + end
    }

    static func read(_ code: SourceEvaluator, in file: inout PinFile) {
        let source = code.source
        var found: [(header: Header, line: Int)] = []
        for (at, token) in source.tokens.enumerated() {
            if token.kind == .number, token.number == 0x30 {
                if let header = headers.first(where: { stands($0.bytes, at: at, source) }) {
                    found.append((header, token.line))
                }
            } else if token.isString, let text = source.constant(at: at), text.utf8.count <= 64, begins(text) {
                if let header = headers.first(where: { writes($0.bytes, text) }) { found.append((header, token.line)) }
            }
        }
        guard let first = found.first else { return }
        // One for each kind of key that a server may move to is no trap.
        let kinds = Set(found.map(\.header.isEllipticCurve))
        guard kinds.count < 2 else { return }
        let names = found.map(\.header.name)
        let distinct = names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element)
        file.set(
            .hardCodedKeyHeader, line: first.line, "a header for keys of \(distinct.joined(separator: ", ")) alone")
    }

    /// As `30 59`, `30 76` and `30 82` do, in base64 and in hexadecimal digits.
    private static func begins(_ text: String) -> Bool {
        ["MF", "MH", "MI", "30"].contains { text.hasPrefix($0) }
    }

    /// Number by number, and nothing behind: a whole key that is written out goes on.
    private static func stands(_ bytes: [Int], at start: Int, _ source: SourceText) -> Bool {
        var (at, place) = (start, 0)
        while place < bytes.count {
            guard let token = source[at] else { return false }
            if let number = token.number {
                guard number == bytes[place] else { return false }
                place += 1
            } else if !isBetween(token) {
                return false
            }
            at += 1
        }
        while let token = source[at], isBetween(token), !token.is(")") { at += 1 }
        return source[at]?.kind != .number
    }

    /// `0x9f.toByte()`, `(byte) 0x82`, `UInt8(0x30)`.
    private static func isBetween(_ token: SourceToken) -> Bool {
        token.is(",") || token.is(".") || token.is("(") || token.is(")") || token.names("toByte") || token.names("byte")
    }

    private static func writes(_ bytes: [Int], _ text: String) -> Bool {
        let bytes = bytes.map { UInt8(truncatingIfNeeded: $0) }
        // A header of 26 bytes ends within a group: what is written of it has its padding, or one letter of the key.
        return Fingerprint.bytes(text) == bytes
            || OkHttpPin.decoded(text).map {
                $0 == bytes || ($0.count == bytes.count + 1 && $0.starts(with: bytes) && $0.last == 4)
            } == true
    }
}
