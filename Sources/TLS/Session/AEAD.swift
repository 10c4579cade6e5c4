import COpenSSL

/// Authenticated encryption of TLS 1.3 and QUIC: nonces of 12 bytes, tags of 16 (RFC 5116).
enum AEAD: Hashable, Sendable {
    case aes128, aes256, chaCha20

    static let tagLength = 16
    static let nonceLength = 12

    /// Bytes.
    var keyLength: Int { self == .aes128 ? 16 : 32 }

    /// nil where the tag does not fit.
    func open(_ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
        guard tag.count == Self.tagLength, key.count == keyLength, nonce.count == Self.nonceLength else { return nil }
        // What is another party's fails here as a matter of course: its error is nobody's.
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var (tag, count, last) = (tag, Int32(0), Int32(0))
        // One byte more than needed, as an empty array has no address.
        var out = [UInt8](repeating: 0, count: ciphertext.count + 1)
        guard unsafe EVP_DecryptInit_ex(context, algorithm, nil, key, nonce) == 1,
            unsafe EVP_DecryptUpdate(context, nil, &count, header, Int32(header.count)) == 1,
            unsafe EVP_DecryptUpdate(context, &out, &count, ciphertext, Int32(ciphertext.count)) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
        else { return nil }
        var end = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_DecryptFinal_ex(context, &end, &last) == 1 else { return nil }
        return Array(out.prefix(Int(count)))
    }

    private var algorithm: OpaquePointer? {
        switch self {
        case .aes128: unsafe EVP_aes_128_gcm()
        case .aes256: unsafe EVP_aes_256_gcm()
        case .chaCha20: unsafe EVP_chacha20_poly1305()
        }
    }
}
