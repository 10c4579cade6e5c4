import COpenSSL
import Facts

/// What pins are taken from: a certificate, a certificate request, or a key.
package struct PinMaterial: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case certificate(Certificate)
        /// PKCS #10 (RFC 2986): its subject (RFC 4514) and the names of its SAN.
        case request(subject: String, names: [String])
        /// A public key, or the public half of a private one.
        case key
    }

    package let kind: Kind
    /// The SubjectPublicKeyInfo in DER (RFC 5280 §4.1.2.7); of a certificate as it stands there.
    package let publicKeyDER: [UInt8]
    /// `RSA-2048`, `RSA-PSS-2048`, `EC-P256`, `EC-secp256k1`, `Ed25519`, …; `unknown` where OpenSSL does not know it.
    package let keyName: String

    package var certificate: Certificate? {
        if case .certificate(let certificate) = kind { certificate } else { nil }
    }

    package init(_ certificate: Certificate) {
        kind = .certificate(certificate)
        publicKeyDER = certificate.publicKeyDER
        keyName = unsafe X509_get0_pubkey(certificate.x509).map { unsafe Self.name(ofKey: $0) } ?? "unknown"
    }

    /// - Parameter pkey: stays the caller's.
    init(key pkey: OpaquePointer, _ kind: Kind = .key) throws(OpenSSLError) {
        self.kind = kind
        publicKeyDER = try unsafe Certificate.encode("encode a public key") { unsafe i2d_PUBKEY(pkey, &$0) }
        keyName = unsafe Self.name(ofKey: pkey)
    }

    package init(_ key: PrivateKey) {
        kind = .key
        publicKeyDER = key.publicKeyDER
        keyName = unsafe Self.name(ofKey: key.pkey)
    }

    /// - Parameter request: an X509_REQ, which stays the caller's.
    init(request: OpaquePointer) throws(OpenSSLError) {
        guard let info = unsafe X509_REQ_get_X509_PUBKEY(request) else {
            throw OpenSSLError(operation: "read the key of a request", entries: [])
        }
        kind = unsafe .request(
            subject: Certificate.text(of: X509_REQ_get_subject_name(request)), names: RequestNames.all(of: request))
        publicKeyDER = try unsafe Certificate.encode("encode a public key") { unsafe i2d_X509_PUBKEY(info, &$0) }
        ERR_clear_error()
        defer { ERR_clear_error() }
        keyName = unsafe X509_PUBKEY_get0(info).map { unsafe Self.name(ofKey: $0) } ?? "unknown"
    }

    /// - Parameter pkey: an EVP_PKEY.
    private static func name(ofKey pkey: OpaquePointer) -> String {
        let bits = unsafe EVP_PKEY_get_bits(pkey)
        if unsafe EVP_PKEY_is_a(pkey, "RSA-PSS") == 1 { return "RSA-PSS-\(bits)" }
        switch unsafe PrivateKey.type(of: pkey) {
        case .rsa(let bits): return "RSA-\(bits)"
        case .ec(let curve): return "EC-\(names[curve] ?? curve)"
        case .other("ED25519"): return "Ed25519"
        case .other("ED448"): return "Ed448"
        case .other("DSA"): return "DSA-\(bits)"
        case .other(let name): return name
        }
    }

    /// OpenSSL's names of curves that people know by others (SEC 2, FIPS 186-5).
    private static let names = [
        "prime256v1": "P256", "secp384r1": "P384", "secp521r1": "P521", "secp224r1": "P224", "prime192v1": "P192",
    ]
}

extension PinMaterial {
    /// SHA-256 of the SubjectPublicKeyInfo, 32 bytes (RFC 7469 §2.4).
    package var spkiSHA256: [UInt8] { SHA256.digest(publicKeyDER) }
    /// SHA-1 of the same, 20 bytes: OkHttp's old `sha1/`.
    package var spkiSHA1: [UInt8] { SHA1.digest(publicKeyDER) }
}

/// SHA-1 (FIPS 180-4), for fingerprints that others still use.
///
/// Nothing here is secured by it.
package enum SHA1 {
    /// 20 bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        guard unsafe EVP_Digest(bytes, bytes.count, &out, &count, EVP_sha1(), nil) == 1 else { return [] }
        return out
    }
}
