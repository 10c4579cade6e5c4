import COpenSSL
import CShim

/// A private key with its public part.
///
/// Unchecked Sendable: never mutated after init; OpenSSL's reference counts are atomic, and signing with one EVP_PKEY
/// from several threads is what it documents as safe.
@safe package final class PrivateKey: @unchecked Sendable {
    /// Owned; session code that hands it to OpenSSL lets OpenSSL take its own reference.
    let pkey: OpaquePointer
    /// SubjectPublicKeyInfo in DER.
    package let publicKeyDER: [UInt8]

    /// Takes over the caller's reference, also when it throws.
    init(adopting pkey: OpaquePointer) throws(OpenSSLError) {
        do throws(OpenSSLError) {
            publicKeyDER = try unsafe Certificate.encode("encode a public key") { unsafe i2d_PUBKEY(pkey, &$0) }
        } catch {
            unsafe EVP_PKEY_free(pkey)
            throw error
        }
        unsafe self.pkey = pkey
    }

    deinit { unsafe EVP_PKEY_free(pkey) }
}

/// What kind of key it is, as far as forging makes a difference.
package enum KeyType: Hashable, Sendable, CustomStringConvertible {
    /// A named curve, by OpenSSL's name for it.
    case ec(curve: String)
    case rsa(bits: Int)
    case other(String)

    package static let p256 = KeyType.ec(curve: "prime256v1")
    package static let p384 = KeyType.ec(curve: "secp384r1")
    package static let p521 = KeyType.ec(curve: "secp521r1")
    /// The curves that TLS 1.3 can sign with, and certificates use.
    package static let tlsCurves: Set<KeyType> = [.p256, .p384, .p521]

    package static let ed25519 = KeyType.other("ED25519")
    static let edwards: Set<KeyType> = [ed25519, .other("ED448")]

    /// Sizes of RSA keys that are made, in bits. Genuine ones have others too, and those say nothing of how many there are.
    package static let rsaSizes = [2048, 3072, 4096]

    /// The nearest type that a forged chain can have: what servers' certificates are made with. nil for all others.
    var imitated: KeyType? {
        switch self {
        case .rsa(let bits): .rsa(bits: Self.rsaSizes.first { $0 >= bits } ?? 4096)
        case .ec: Self.tlsCurves.contains(self) ? self : nil
        case .other: self == Self.ed25519 ? self : nil
        }
    }

    /// Primes of an RSA key: as many as OpenSSL makes, of 680 bits or more each (RFC 8017 §3.1). With two, a client would
    /// wait: 0.2 s for 2048 bits and seconds for 4096, against 0.06 s and 0.16 s. Nobody who has the public key alone can
    /// tell how many there are, and none of that length can be found.
    var primes: Int32 {
        switch self {
        case .rsa(let bits) where bits >= 4096: 4
        case .rsa(let bits) where bits >= 2048: 3
        default: 2
        }
    }

    package var description: String {
        switch self {
        case .ec(let curve): curve == "prime256v1" ? "EC P-256" : "EC \(curve)"
        case .rsa(let bits): "RSA-\(bits)"
        case .other(let name): name
        }
    }
}

extension PrivateKey {
    /// - Parameter primes: of an RSA key; nil: as many as `KeyType.primes`, for keys that serve for a test's time. Others than
    ///   OpenSSL (Java, Python's cryptography) refuse keys with more than two.
    package static func generate(_ type: KeyType, primes: Int32? = nil) throws(OpenSSLError) -> PrivateKey {
        let name =
            switch type {
            case .ec: "EC"
            case .rsa: "RSA"
            case .other(let name): name
            }
        let pkey = try unsafe OpenSSLError.trying("make a key of type \(type)") { () -> OpaquePointer? in
            guard
                let context = unsafe EVP_PKEY_CTX_new_from_name(pp_handshake_library(), name, nil)
                    // No handshake has it, SM2 for one.
                    ?? EVP_PKEY_CTX_new_from_name(nil, name, nil)
            else { return nil }
            defer { unsafe EVP_PKEY_CTX_free(context) }
            guard unsafe EVP_PKEY_keygen_init(context) == 1 else { return nil }
            switch type {
            case .ec(let curve): guard unsafe EVP_PKEY_CTX_set_group_name(context, curve) == 1 else { return nil }
            case .rsa(let bits):
                guard unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(clamping: bits)) == 1,
                    unsafe EVP_PKEY_CTX_set_rsa_keygen_primes(context, primes ?? type.primes) == 1
                else { return nil }
            case .other: break
            }
            var made: OpaquePointer?
            guard unsafe EVP_PKEY_generate(context, &made) == 1 else { return nil }
            return unsafe made
        }
        return try unsafe PrivateKey(adopting: pkey)
    }

    package var type: KeyType { unsafe Self.type(of: pkey) }

    /// Whether the certificate's public key is this key's. Says nothing about the private part.
    package func matches(_ certificate: Certificate) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(certificate.x509, pkey) == 1
    }

    /// PKCS#8 in PEM, not encrypted.
    package func pem() throws(OpenSSLError) -> [UInt8] {
        let memory = MemoryBIO()
        try OpenSSLError.requiring("write a private key") {
            unsafe PEM_write_bio_PKCS8PrivateKey(memory.bio, pkey, nil, nil, 0, nil, nil) == 1
        }
        return memory.contents()
    }

    /// The first private key of PEM text. An encrypted key is an error: nobody is there to be asked for a password.
    package convenience init(pem: [UInt8]) throws(OpenSSLError) {
        let memory = MemoryBIO(pem)
        let pkey = try unsafe OpenSSLError.trying("read a private key") {
            unsafe PEM_read_bio_PrivateKey(memory.bio, nil, noPassword, nil)
        }
        try unsafe self.init(adopting: pkey)
    }

    /// A private key in DER: PKCS#8, SEC 1 or PKCS#1. Bytes after it are an error.
    package convenience init(der: [UInt8]) throws(OpenSSLError) {
        let pkey = try unsafe OpenSSLError.trying("read a private key") { () -> OpaquePointer? in
            unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var cursor = bytes.baseAddress
                guard let pkey = unsafe d2i_AutoPrivateKey(nil, &cursor, bytes.count) else { return nil }
                guard unsafe cursor == bytes.baseAddress.map({ unsafe $0 + bytes.count }) else {
                    unsafe EVP_PKEY_free(pkey)
                    return nil
                }
                return unsafe pkey
            }
        }
        try unsafe self.init(adopting: pkey)
    }

    func sign(_ message: [UInt8], with digest: SignatureAlgorithm.Digest) throws(OpenSSLError) -> [UInt8] {
        try OpenSSLError.trying("sign") { () -> [UInt8]? in
            guard let context = unsafe EVP_MD_CTX_new() else { return nil }
            defer { unsafe EVP_MD_CTX_free(context) }
            let library = unsafe pp_handshake_library()
            guard unsafe EVP_DigestSignInit_ex(context, nil, digestName(digest), library, nil, pkey, nil) == 1
            else { return nil }
            var count = Int(unsafe EVP_PKEY_get_size(pkey))
            var out = [UInt8](repeating: 0, count: max(0, count))
            guard unsafe EVP_DigestSign(context, &out, &count, message, message.count) == 1 else { return nil }
            out.removeSubrange(count...)
            return out
        }
    }

    /// Ed25519 and Ed448 hash for themselves, and take no other digest.
    func digestName(_ digest: SignatureAlgorithm.Digest) -> String? {
        KeyType.edwards.contains(type) ? nil : digest.rawValue
    }

    static func type(of pkey: OpaquePointer) -> KeyType {
        if unsafe EVP_PKEY_is_a(pkey, "EC") == 1 {
            return unsafe .ec(curve: groupName(of: pkey) ?? "with an unnamed curve")
        }
        if unsafe EVP_PKEY_is_a(pkey, "RSA") == 1 { return unsafe .rsa(bits: Int(EVP_PKEY_get_bits(pkey))) }
        return unsafe .other(EVP_PKEY_get0_type_name(pkey).map { unsafe String(cString: $0) } ?? "unknown")
    }

    private static func groupName(of pkey: OpaquePointer) -> String? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        // The longest name of a built-in curve has 15 characters.
        var name = [CChar](repeating: 0, count: 80)
        var count = 0
        guard unsafe EVP_PKEY_get_group_name(pkey, &name, name.count, &count) == 1 else { return nil }
        return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Certificate {
    package var keyType: KeyType {
        guard let key = unsafe X509_get0_pubkey(x509) else { return .other(keyAlgorithm) }
        return unsafe PrivateKey.type(of: key)
    }

    /// What a key that was not read says it is for (RFC 5280 §4.1.2.7); an EC key's curve.
    private var keyAlgorithm: String {
        var whole: UnsafeMutablePointer<X509_ALGOR>?
        var object: OpaquePointer?
        var kind: Int32 = 0
        var value: UnsafeRawPointer?
        guard unsafe X509_PUBKEY_get0_param(nil, nil, nil, &whole, X509_get_X509_PUBKEY(x509)) == 1 else {
            return "unknown"
        }
        unsafe X509_ALGOR_get0(&object, &kind, &value, whole)
        if unsafe OBJ_obj2nid(object) == NID_X9_62_id_ecPublicKey, kind == V_ASN1_OBJECT, let value = unsafe value {
            unsafe object = OpaquePointer(value)
        }
        switch unsafe OBJ_obj2nid(object) {
        case NID_X25519: return "X25519"
        case NID_X448: return "X448"
        case NID_sm2: return "SM2"
        default: break
        }
        // As OpenSSL says, enough for any.
        var name = [CChar](repeating: 0, count: 80)
        let count = unsafe OBJ_obj2txt(&name, numericCast(name.count), object, 0)
        guard count > 0 else { return "unknown" }
        // Those that are read are damaged: they are not of their type.
        return "unreadable "
            + String(
                decoding: name.prefix(min(Int(count), name.count - 1)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Answers OpenSSL's question for a password with none; else it would ask at the terminal.
private let noPassword: @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 =
    { _, _, _, _ in -1 }
