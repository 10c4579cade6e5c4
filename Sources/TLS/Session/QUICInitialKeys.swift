import COpenSSL

/// The keys of a QUIC client's first packets, which anybody can derive from them.
///
/// RFC 9001 §5 and, for version 2, RFC 9369 §3.3. They keep nothing secret: reading the server's name in passing is
/// what they are for here.
package struct QUICInitialKeys: Hashable, Sendable {
    package enum Version: Hashable, Sendable { case v1, v2 }

    private let key: [UInt8]
    private let iv: [UInt8]
    private let headerKey: [UInt8]

    private static let tagLength = 16
    private static let sampleLength = 16

    /// - Parameter destinationID: the connection ID that the client made up for its very first packet.
    package init(_ version: Version, destinationID: [UInt8]) {
        let prefix = version == .v1 ? "quic" : "quicv2"
        let secret = HKDF.expand(
            HKDF.extract(destinationID, salt: version == .v1 ? Self.saltV1 : Self.saltV2), label: "client in", count: 32
        )
        key = HKDF.expand(secret, label: prefix + " key", count: 16)
        iv = HKDF.expand(secret, label: prefix + " iv", count: 12)
        headerKey = HKDF.expand(secret, label: prefix + " hp", count: 16)
    }

    /// The packet's frames; nil where these keys do not fit, and so for everything that is no client's Initial.
    package func open(_ packet: [UInt8], packetNumberOffset offset: Int) -> [UInt8]? {
        // The sample begins where a packet number of the greatest length would end.
        let sampleStart = offset + 4
        guard offset > 0, packet.count >= sampleStart + Self.sampleLength,
            let mask = AES128.encryptBlock(Array(packet[sampleStart..<(sampleStart + Self.sampleLength)]), headerKey)
        else { return nil }
        let first = packet[0] ^ (mask[0] & 0x0f)
        let numberLength = Int(first & 3) + 1
        var header = Array(packet[..<(offset + numberLength)])
        header[0] = first
        var nonce = iv
        for index in 0..<numberLength {
            header[offset + index] ^= mask[1 + index]
            // The first packets' numbers are small, so what is sent of them is all there is.
            nonce[12 - numberLength + index] ^= header[offset + index]
        }
        let body = packet[(offset + numberLength)...]
        guard body.count >= Self.tagLength else { return nil }
        return AEAD.aes128.open(
            Array(body.dropLast(Self.tagLength)), tag: Array(body.suffix(Self.tagLength)), key: key, nonce: nonce,
            header: header)
    }

    private static let saltV1: [UInt8] = [
        0x38, 0x76, 0x2c, 0xf7, 0xf5, 0x59, 0x34, 0xb3, 0x4d, 0x17, 0x9a, 0xe6, 0xa4, 0xc8, 0x0c, 0xad, 0xcc, 0xbb,
        0x7f, 0x0a,
    ]
    private static let saltV2: [UInt8] = [
        0x0d, 0xed, 0xe3, 0xde, 0xf7, 0x00, 0xa6, 0xdb, 0x81, 0x93, 0x81, 0xbe, 0x6e, 0x26, 0x9d, 0xcb, 0xf9, 0xbd,
        0x2e, 0xd9,
    ]
}

/// AES-128, one block at a time: the header protection of QUIC (RFC 9001 §5.4.3).
enum AES128 {
    static func encryptBlock(_ block: [UInt8], _ key: [UInt8]) -> [UInt8]? {
        guard block.count == 16, key.count == 16 else { return nil }
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        guard unsafe EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nil, key, nil) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1
        else { return nil }
        var out = [UInt8](repeating: 0, count: 32)
        var count: Int32 = 0
        guard unsafe EVP_EncryptUpdate(context, &out, &count, block, 16) == 1, count == 16 else { return nil }
        return Array(out.prefix(16))
    }
}
