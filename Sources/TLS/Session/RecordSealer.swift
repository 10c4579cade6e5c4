import COpenSSL
import Facts

/// Seals records of TLS 1.3 under a secret that is known beforehand (RFC 8446 §5.2).
///
/// For what is laid out anew and read by whoever has the secret, such as a capture that is made of records: no session of ours
/// sends by it. TLS_AES_128_GCM_SHA256.
@safe package final class RecordSealer {
    /// Bytes of content in one record.
    package static let contentLimit = 16_384

    private let context: OpaquePointer
    private let iv: [UInt8]
    private var number: UInt64 = 0

    /// - Parameter secret: a traffic secret of 32 bytes.
    package init?(secret: [UInt8]) {
        guard secret.count == 32, let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        unsafe self.context = context
        iv = HKDF.expand(secret, label: "iv", count: 12)
        ERR_clear_error()
        defer { ERR_clear_error() }
        let key = HKDF.expand(secret, label: "key", count: 16)
        guard unsafe EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nil) == 1 else { return nil }
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// One record with at most `contentLimit` bytes of content.
    ///
    /// - Parameter type: of its content: 22 is a handshake, 23 application data.
    /// - Returns: none where OpenSSL fails, which it has no reason to.
    package func seal(_ type: UInt8, _ content: ArraySlice<UInt8>) -> [UInt8] {
        var plaintext = Array(content.prefix(Self.contentLimit))
        plaintext.append(type)
        let length = plaintext.count + 16
        let header: [UInt8] = [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xff)]
        let nonce = TrafficKeys.nonce(iv, number)
        number &+= 1
        ERR_clear_error()
        defer { ERR_clear_error() }
        var (count, last) = (Int32(0), Int32(0))
        var out = [UInt8](repeating: 0, count: plaintext.count)
        var end = [UInt8](repeating: 0, count: 16)
        var tag = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_EncryptInit_ex(context, nil, nil, nil, nonce) == 1,
            unsafe EVP_EncryptUpdate(context, nil, &count, header, 5) == 1,
            unsafe EVP_EncryptUpdate(context, &out, &count, plaintext, Int32(plaintext.count)) == 1,
            unsafe EVP_EncryptFinal_ex(context, &end, &last) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1
        else { return [] }
        return header + out + tag
    }
}
