import COpenSSL
import Facts

/// Opens records of TLS 1.3 under one traffic secret (RFC 8446 §5.2, §7.3).
struct TrafficKeys: Hashable, Sendable {
    private let aead: AEAD
    private let key: [UInt8]
    private let iv: [UInt8]

    /// - Parameters:
    ///   - suite: its number in the registry of cipher suites.
    ///   - secret: as long as the suite's digest.
    init?(suite: UInt16, secret: [UInt8]) {
        let digest: HKDF.Digest
        switch suite {
        case 0x1301: (aead, digest) = (.aes128, .sha256)
        case 0x1302: (aead, digest) = (.aes256, .sha384)
        case 0x1303: (aead, digest) = (.chaCha20, .sha256)
        default: return nil
        }
        guard secret.count == digest.size else { return nil }
        key = HKDF.expand(secret, label: "key", count: aead.keyLength, digest)
        iv = HKDF.expand(secret, label: "iv", count: AEAD.nonceLength, digest)
    }

    /// What a record holds, with the type of it behind, and without padding.
    ///
    /// - Parameters:
    ///   - record: with its header.
    ///   - number: how many were sent under the same secret before.
    /// - Returns: nil where it is of another secret or another number, or holds nothing but zeros.
    func open(_ record: [UInt8], number: UInt64) -> [UInt8]? {
        let body = record.dropFirst(5)
        guard body.count > AEAD.tagLength else { return nil }
        let content = aead.open(
            Array(body.dropLast(AEAD.tagLength)), tag: Array(body.suffix(AEAD.tagLength)), key: key,
            nonce: Self.nonce(iv, number), header: Array(record.prefix(5)))
        guard let content, let last = content.lastIndex(where: { $0 != 0 }) else { return nil }
        return Array(content[...last])
    }

    /// A record's own (RFC 8446 §5.3).
    static func nonce(_ iv: [UInt8], _ number: UInt64) -> [UInt8] {
        var nonce = iv
        for index in 0..<8 { nonce[4 + index] ^= UInt8(truncatingIfNeeded: number >> (8 * (7 - index))) }
        return nonce
    }
}

/// A client's secrets of TLS 1.3: they open what stands behind its end of the session.
struct ClientSecrets: Hashable, Sendable {
    /// Of the handshake, and of what follows it; more of them there are not without a KeyUpdate.
    private var secrets: [[UInt8]] = []

    private static let labels = ["CLIENT_HANDSHAKE_TRAFFIC_SECRET ", "CLIENT_TRAFFIC_SECRET_0 "].map { Array($0.utf8) }
    /// A client says farewell after a handful of records. Whoever takes more is not believed by this.
    private static let numberLimit: UInt64 = 64

    /// - Parameter line: of a key log.
    mutating func note(_ line: [UInt8]) {
        guard secrets.count < Self.labels.count, Self.labels.contains(where: { line.starts(with: $0) }),
            let place = line.lastIndex(of: UInt8(ascii: " ")),
            let secret = Hex.decoded(String(decoding: line[(place + 1)...], as: UTF8.self))
        else { return }
        secrets.append(secret)
    }

    /// Whether a record holds an alert and nothing else.
    ///
    /// - Parameters:
    ///   - record: with its header.
    ///   - number: of all the client's records before it: under a secret it has that number or a smaller one.
    func isAlert(_ record: [UInt8], suite: UInt16, number: Int) -> Bool {
        let numbers = 0..<min(UInt64(number) + 1, Self.numberLimit)
        for keys in secrets.compactMap({ TrafficKeys(suite: suite, secret: $0) }) {
            guard let content = numbers.lazy.compactMap({ keys.open(record, number: $0) }).first else { continue }
            return content.count == 3 && content.last == UInt8(SSL3_RT_ALERT)
        }
        return false
    }
}
