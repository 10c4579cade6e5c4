import COpenSSL
import CShim

/// Why no key can be made that passes for a certificate's own.
package enum ImitationError: Error, Hashable, Sendable, CustomStringConvertible {
    case keyType(KeyType)
    case openSSL(OpenSSLError)

    package var description: String {
        switch self {
        case .keyType(let type): "a key of type \(type) cannot be imitated"
        case .openSSL(let error): "\(error)"
        }
    }
}

extension PrivateKey {
    /// A key with the certificate's public part and an unrelated private part, for the attack `wrong-key`.
    ///
    /// OpenSSL compares only public parts when it is given certificate and key, so it takes this one and signs with
    /// it; the signatures do not verify under the certificate. It works for EC on a named curve, RSA, Ed25519 and Ed448.
    package static func withoutItsPrivateKey(publicOf certificate: Certificate) throws(ImitationError) -> PrivateKey {
        let type = certificate.keyType
        do throws(OpenSSLError) {
            if case .ec(let curve) = type, KeyType.tlsCurves.contains(type) {
                return try imitateEC(certificate, curve: curve)
            }
            if case .rsa = type { return try imitateRSA(certificate) }
            if case .other(let name) = type, KeyType.edwards.contains(type) {
                return try imitateEdwards(certificate, name)
            }
        } catch {
            throw .openSSL(error)
        }
        throw .keyType(type)
    }

    /// A key with the certificate's public part whose ECDSA signatures are two zeros, for the attack of CVE-2022-21449.
    package static func signingZeros(publicOf certificate: Certificate) throws(ImitationError) -> PrivateKey {
        guard KeyType.tlsCurves.contains(certificate.keyType) else { throw .keyType(certificate.keyType) }
        do throws(OpenSSLError) {
            let made = try unsafe OpenSSLError.trying("make a key that signs with zeros") { () -> OpaquePointer? in
                guard let genuine = unsafe X509_get0_pubkey(certificate.x509) else { return nil }
                return unsafe pp_EVP_PKEY_signing_zeros(genuine)
            }
            return try unsafe PrivateKey(adopting: made)
        } catch {
            throw .openSSL(error)
        }
    }

    private static func imitateEC(_ certificate: Certificate, curve: String) throws(OpenSSLError) -> PrivateKey {
        let unrelated = try generate(.ec(curve: curve))
        let made = try unsafe OpenSSLError.trying("imitate an EC key") { () -> OpaquePointer? in
            var scalar: OpaquePointer?
            guard unsafe EVP_PKEY_get_bn_param(unrelated.pkey, "priv", &scalar) == 1 else { return nil }
            defer { unsafe BN_clear_free(scalar) }
            guard let point = publicPoint(of: certificate) else { return nil }
            let parameters = KeyParameters()
            return unsafe parameters.add("group", text: curve) && parameters.add("pub", bytes: point)
                && parameters.add("priv", number: scalar) ? parameters.makeKey("EC") : nil
        }
        return try unsafe PrivateKey(adopting: made)
    }

    /// Both halves are plain bytes; the public one goes into each signature, which therefore does not even verify
    /// under the private half's own.
    private static func imitateEdwards(_ certificate: Certificate, _ name: String) throws(OpenSSLError) -> PrivateKey {
        let unrelated = try generate(.other(name))
        let made = try unsafe OpenSSLError.trying("imitate an \(name) key") { () -> OpaquePointer? in
            guard let genuine = unsafe X509_get0_pubkey(certificate.x509) else { return nil }
            // Ed448's halves have 57 bytes.
            var (open, secret) = ([UInt8](repeating: 0, count: 64), [UInt8](repeating: 0, count: 64))
            var (openCount, secretCount) = (open.count, secret.count)
            guard unsafe EVP_PKEY_get_raw_public_key(genuine, &open, &openCount) == 1,
                unsafe EVP_PKEY_get_raw_private_key(unrelated.pkey, &secret, &secretCount) == 1
            else { return nil }
            let parameters = KeyParameters()
            return unsafe parameters.add("pub", bytes: Array(open.prefix(openCount)))
                && parameters.add("priv", bytes: Array(secret.prefix(secretCount))) ? parameters.makeKey(name) : nil
        }
        return try unsafe PrivateKey(adopting: made)
    }

    private static func imitateRSA(_ certificate: Certificate) throws(OpenSSLError) -> PrivateKey {
        // Short, because without the prime factors a full-length exponent would take milliseconds per handshake;
        // odd, because an even one is no exponent at all. That it is not the genuine one is as sure as a guess of it.
        var exponent = try Random.bytes(32)
        exponent[0] |= 0x80
        exponent[31] |= 1
        let made = try unsafe OpenSSLError.trying("imitate an RSA key") { () -> OpaquePointer? in
            guard let genuine = unsafe X509_get0_pubkey(certificate.x509) else { return nil }
            var modulus: OpaquePointer?
            var publicExponent: OpaquePointer?
            defer {
                unsafe BN_free(modulus)
                unsafe BN_free(publicExponent)
            }
            guard unsafe EVP_PKEY_get_bn_param(genuine, "n", &modulus) == 1,
                unsafe EVP_PKEY_get_bn_param(genuine, "e", &publicExponent) == 1,
                let d = unsafe BN_bin2bn(exponent, Int32(exponent.count), nil)
            else { return nil }
            defer { unsafe BN_clear_free(d) }
            let parameters = KeyParameters()
            return unsafe parameters.add("n", number: modulus) && parameters.add("e", number: publicExponent)
                && parameters.add("d", number: d) ? parameters.makeKey("RSA") : nil
        }
        return try unsafe PrivateKey(adopting: made)
    }

    /// Whether this key signs, and its own public part refuses the signature.
    package var signsWhatItsCertificateRefuses: Bool {
        let message = Array("pinproof".utf8)
        guard let signature = try? sign(message, with: .sha256) else { return false }
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        let digest = digestName(.sha256)
        guard unsafe EVP_DigestVerifyInit_ex(context, nil, digest, nil, nil, pkey, nil) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) != 1
    }

    /// The public point as the certificate encodes it.
    private static func publicPoint(of certificate: Certificate) -> [UInt8]? {
        guard let key = unsafe X509_get0_pubkey(certificate.x509) else { return nil }
        // P-521 uncompressed: 1 + 2 × 66 bytes.
        var point = [UInt8](repeating: 0, count: 133)
        var count = 0
        guard unsafe EVP_PKEY_get_octet_string_param(key, "pub", &point, point.count, &count) == 1 else { return nil }
        return Array(point.prefix(count))
    }
}

/// Parts that OpenSSL makes a key of, without comparing them.
@safe private final class KeyParameters {
    private let builder: OpaquePointer?
    // The builder keeps pointers to names and values until the list is made: they live here as long.
    private var kept: [UnsafeMutableRawPointer] = unsafe []

    init() { unsafe builder = OSSL_PARAM_BLD_new() }

    deinit {
        unsafe OSSL_PARAM_BLD_free(builder)
        unsafe kept.forEach { unsafe $0.deallocate() }
    }

    func add(_ name: String, text: String) -> Bool {
        unsafe OSSL_PARAM_BLD_push_utf8_string(builder, keepText(name), keepText(text), 0) == 1
    }

    func add(_ name: String, bytes: [UInt8]) -> Bool {
        unsafe OSSL_PARAM_BLD_push_octet_string(builder, keepText(name), keep(bytes), bytes.count) == 1
    }

    /// The caller keeps the number until the key is made.
    func add(_ name: String, number: OpaquePointer?) -> Bool {
        unsafe OSSL_PARAM_BLD_push_BN(builder, keepText(name), number) == 1
    }

    func makeKey(_ type: String) -> OpaquePointer? {
        guard let parameters = unsafe OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { unsafe OSSL_PARAM_free(parameters) }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(context) == 1,
            unsafe EVP_PKEY_fromdata(context, &made, pp_EVP_PKEY_KEYPAIR(), parameters) == 1
        else { return nil }
        return unsafe made
    }

    private func keepText(_ text: String) -> UnsafePointer<CChar> {
        unsafe UnsafePointer(keep(Array(text.utf8) + [0]).assumingMemoryBound(to: CChar.self))
    }

    private func keep(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        unsafe copy.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe kept.append(copy)
        return unsafe copy
    }
}
