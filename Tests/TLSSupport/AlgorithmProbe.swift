import COpenSSL
import CShim
import Facts

@testable import TLS

/// What can be had of a library context: of OpenSSL's default one, or of the one for handshakes.
@safe package struct AlgorithmProbe {
    /// An OpenSSL that did what it should not have, or did not what it should.
    package struct Surprise: Error {}

    let library: OpaquePointer?

    package static var whole: AlgorithmProbe { unsafe AlgorithmProbe(library: nil) }

    /// Whether this OpenSSL has AES-GCM for AVX-512: since 3.1.
    package static var hasCodeForAVX512: Bool { OpenSSL_version_num() >= 0x3010_0000 }

    private init(library: OpaquePointer?) { unsafe self.library = library }

    /// Of handshakes; nil where those use the default one.
    package static func forHandshakes() -> AlgorithmProbe? {
        guard let library = unsafe pp_handshake_library() else { return nil }
        return unsafe AlgorithmProbe(library: library)
    }

    private func withContext<T>(_ body: (OpaquePointer) throws -> T) throws -> T {
        guard let context = unsafe SSL_CTX_new_ex(library, nil, TLS_method()) else { throw Surprise() }
        defer { unsafe SSL_CTX_free(context) }
        return try unsafe body(context)
    }

    /// Every suite, outdated ones and those without encryption included.
    package func suites() throws -> [String] {
        try unsafe withContext { context in
            guard unsafe SSL_CTX_set_cipher_list(context, "ALL:COMPLEMENTOFALL:eNULL:@SECLEVEL=0") == 1 else {
                throw Surprise()
            }
            let all = unsafe SSL_CTX_get_ciphers(context)
            return unsafe (0..<OPENSSL_sk_num(all)).map { index in
                unsafe String(cString: SSL_CIPHER_get_name(OpaquePointer(OPENSSL_sk_value(all, index))))
            }
        }
    }

    package func has(group: String) throws -> Bool {
        defer { ERR_clear_error() }
        return try unsafe withContext { unsafe pp_SSL_CTX_set1_groups_list($0, group) == 1 }
    }

    /// The raw private and public parts of a new key of X25519's, 32 bytes each.
    package func x25519Key() throws -> (secret: [UInt8], open: [UInt8]) {
        let key = try unsafe generate("X25519", EVP_PKEY_keygen_init)
        defer { unsafe EVP_PKEY_free(key) }
        return try unsafe (secretPart(key), openPart(key))
    }

    /// Whether a key that was made of X25519's parameters alone has a private part all the same.
    package func x25519ParametersHaveKey() throws -> Bool {
        let key = try unsafe generate("X25519", EVP_PKEY_paramgen_init)
        defer {
            unsafe EVP_PKEY_free(key)
            ERR_clear_error()
        }
        return (try? unsafe secretPart(key)) != nil
    }

    /// The public part that belongs to a private one.
    package func x25519Open(_ secret: [UInt8]) throws -> [UInt8] {
        guard let key = unsafe EVP_PKEY_new_raw_private_key_ex(library, "X25519", nil, secret, secret.count) else {
            throw Surprise()
        }
        defer { unsafe EVP_PKEY_free(key) }
        return try unsafe openPart(key)
    }

    /// The same by pinproof's own code; nil: this machine has none.
    package static func ownX25519Open(_ secret: [UInt8]) -> [UInt8]? {
        var open: [UInt8] = Array(repeating: 0, count: 32)
        return unsafe pp_x25519_public(secret, &open) == 1 ? open : nil
    }

    private func generate(_ type: String, _ begin: (OpaquePointer) -> Int32) throws -> OpaquePointer {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(library, type, nil) else { throw Surprise() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard unsafe begin(context) == 1, unsafe EVP_PKEY_generate(context, &made) == 1, let made = unsafe made else {
            throw Surprise()
        }
        return unsafe made
    }

    /// A SubjectPublicKeyInfo in DER as it was read: kind, size and DER; nil: it was not.
    package func describe(publicKey der: [UInt8]) -> [String]? {
        let key = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let key = unsafe d2i_PUBKEY_ex(nil, &next, bytes.count, library, nil)
            // All of it, or nothing.
            let isWhole = unsafe next == bytes.baseAddress.map { unsafe $0 + bytes.count }
            if !isWhole { unsafe EVP_PKEY_free(key) }
            return unsafe isWhole ? key : nil
        }
        defer {
            unsafe EVP_PKEY_free(key)
            ERR_clear_error()
        }
        guard let key = unsafe key else { return nil }
        let kind = unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) } ?? ""
        var out: UnsafeMutablePointer<UInt8>?
        let count = unsafe Int(i2d_PUBKEY(key, &out))
        defer { unsafe CRYPTO_free(out, nil, 0) }
        let again = unsafe Hex.encode(Array(UnsafeBufferPointer(start: out, count: max(0, count))))
        return unsafe [kind, "\(EVP_PKEY_get_bits(key)) \(EVP_PKEY_get_security_bits(key))", again]
    }

    private func secretPart(_ key: OpaquePointer) throws -> [UInt8] {
        var count = 32
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_PKEY_get_raw_private_key(key, &bytes, &count) == 1, count == 32 else { throw Surprise() }
        return bytes
    }

    private func openPart(_ key: OpaquePointer) throws -> [UInt8] {
        var count = 32
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == 32 else { throw Surprise() }
        return bytes
    }
}
