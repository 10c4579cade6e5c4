import COpenSSL

/// HKDF (RFC 5869) and the labels of TLS 1.3 (RFC 8446 §7.1).
enum HKDF {
    /// The digest that a cipher suite derives by.
    enum Digest: Hashable, Sendable {
        case sha256, sha384

        /// Bytes.
        var size: Int { self == .sha256 ? 32 : 48 }
    }

    static func extract(_ material: [UInt8], salt: [UInt8]) -> [UInt8] { authenticate(material, key: salt, .sha256) }

    /// At most as many bytes as the digest has: one block of output.
    static func expand(_ secret: [UInt8], label: String, count: Int, _ digest: Digest = .sha256) -> [UInt8] {
        let label = Array("tls13 \(label)".utf8)
        let info = [UInt8(count >> 8), UInt8(count & 0xff), UInt8(label.count)] + label + [0, 1]
        return Array(authenticate(info, key: secret, digest).prefix(count))
    }

    /// HMAC (RFC 2104).
    ///
    /// - Returns: nothing where OpenSSL fails, which it has no reason to.
    private static func authenticate(_ message: [UInt8], key: [UInt8], _ digest: Digest) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: digest.size)
        let algorithm = unsafe digest == .sha256 ? EVP_sha256() : EVP_sha384()
        guard unsafe HMAC(algorithm, key, Int32(key.count), message, message.count, &out, nil) != nil else { return [] }
        return out
    }
}
