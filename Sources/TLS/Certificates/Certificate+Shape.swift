import COpenSSL
import Facts

extension Certificate {
    /// Every extension, in order, as bytes.
    func extensions() throws(OpenSSLError) -> [CertificateExtension] {
        var out: [CertificateExtension] = []
        for index in unsafe 0..<max(0, X509_get_ext_count(x509)) {
            guard let found = unsafe X509_get_ext(x509, index), let value = unsafe X509_EXTENSION_get_data(found)
            else { continue }
            let oid = try unsafe Self.encode("encode an identifier") {
                unsafe i2d_ASN1_OBJECT(X509_EXTENSION_get_object(found), &$0)
            }
            out.append(
                CertificateExtension(
                    oid: oid, critical: unsafe X509_EXTENSION_get_critical(found) == 1,
                    value: unsafe Self.bytes(of: value)))
        }
        return out
    }

    /// How many CAs it allows between itself and a leaf; nil: as many as you like, or it is no CA.
    var pathLength: Int? {
        let count = unsafe X509_get_pathlen(x509)
        return count < 0 ? nil : count
    }

    /// Whether OpenSSL takes it for a host's certificate, by its names.
    package func isFor(_ host: HostName) -> Bool {
        if let address = host.address {
            return unsafe X509_check_ip(x509, address.bytes, address.bytes.count, 0) == 1
        }
        let flags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        return unsafe X509_check_host(x509, host.text, host.text.utf8.count, flags, nil) == 1
    }

    /// nil for what pinproof does not sign with (SHA-1, RSASSA-PSS, …).
    var signatureAlgorithm: SignatureAlgorithm? {
        switch signatureNumber {
        case NID_ecdsa_with_SHA256: .ecdsa(.sha256)
        case NID_ecdsa_with_SHA384: .ecdsa(.sha384)
        case NID_ecdsa_with_SHA512: .ecdsa(.sha512)
        case NID_sha256WithRSAEncryption: .rsa(.sha256)
        case NID_sha384WithRSAEncryption: .rsa(.sha384)
        case NID_sha512WithRSAEncryption: .rsa(.sha512)
        case NID_ED25519: .ed25519
        default: nil
        }
    }

    /// OpenSSL's number for the algorithm that the certificate is signed with.
    var signatureNumber: Int32 { unsafe X509_get_signature_nid(x509) }

    /// The type of key, and the way of signing, by which an issuer of ours passes for the one that signed this.
    ///
    /// - Parameter signer: that one, where it is known; else its key is guessed from the signature's length.
    func issuerStyle(of signer: Certificate? = nil) -> (key: KeyType, signature: SignatureAlgorithm) {
        if signatureAlgorithm == .ed25519 { return (.ed25519, .ed25519) }
        switch ((signer?.keyType ?? signerKeyType).imitated ?? signerKeyType, signatureAlgorithm) {
        case (.rsa(let bits), .rsa(let digest)): return (.rsa(bits: bits), .rsa(digest))
        case (.rsa(let bits), _): return (.rsa(bits: bits), .rsa(.sha256))
        case (.ec(let curve), .ecdsa(let digest)): return (.ec(curve: curve), .ecdsa(digest))
        case (.ec(let curve), _): return (.ec(curve: curve), .ecdsa(.sha256))
        case (.other, _): return (.p256, .ecdsa(.sha256))
        }
    }

    /// The kind of key that made this certificate's signature, guessed from the signature's length.
    var signerKeyType: KeyType {
        var signature: UnsafePointer<ASN1_BIT_STRING>?
        unsafe X509_get0_signature(&signature, nil, x509)
        let count = unsafe signature.map { unsafe Int(ASN1_STRING_length($0)) } ?? 0
        // Longer than any ECDSA signature over P-521: RSA's is as long as its modulus.
        if count > 150 { return KeyType.rsa(bits: count * 8).imitated ?? .rsa(bits: 2048) }
        // An ECDSA signature is two integers of the curve's size and at most 9 bytes around them.
        return count <= 2 * 32 + 9 ? .p256 : count <= 2 * 48 + 9 ? .p384 : .p521
    }
}
