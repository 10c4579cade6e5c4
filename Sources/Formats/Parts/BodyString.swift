/// A body as a string of JSON, or not.
enum BodyString {
    /// Nil where it is no UTF-8, and where it is mostly control characters: escaped, each of them takes six bytes, and
    /// base64 a third more. The zeros of a decompression bomb would be a line that no import takes.
    static func text(_ bytes: [UInt8]) -> String? {
        let escaped = bytes.count { $0 < 0x20 && $0 != 0x0a && $0 != 0x0d && $0 != 0x09 }
        guard escaped <= shortLimit || escaped <= bytes.count / 8 else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// So many are shown as text whatever they are: a small message of gRPC-Web, say.
    private static let shortLimit = 1024
}
