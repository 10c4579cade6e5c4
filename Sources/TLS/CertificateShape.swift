import COpenSSL

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

    /// nil for what pinproof does not sign with (SHA-1, RSASSA-PSS, Ed25519, …).
    var signatureAlgorithm: SignatureAlgorithm? {
        switch unsafe X509_get_signature_nid(x509) {
        case NID_ecdsa_with_SHA256: .ecdsa(.sha256)
        case NID_ecdsa_with_SHA384: .ecdsa(.sha384)
        case NID_ecdsa_with_SHA512: .ecdsa(.sha512)
        case NID_sha256WithRSAEncryption: .rsa(.sha256)
        case NID_sha384WithRSAEncryption: .rsa(.sha384)
        case NID_sha512WithRSAEncryption: .rsa(.sha512)
        default: nil
        }
    }

    /// The kind of key that made this certificate's signature, guessed from the signature's length.
    var signerKeyType: KeyType {
        var signature: UnsafePointer<ASN1_BIT_STRING>?
        unsafe X509_get0_signature(&signature, nil, x509)
        let count = unsafe signature.map { unsafe Int(ASN1_STRING_length($0)) } ?? 0
        // Longer than any ECDSA signature over P-521: RSA's is as long as its modulus.
        if count > 150 { return .rsa(bits: max(2048, count * 8)) }
        // An ECDSA signature is two integers of the curve's size and at most 9 bytes around them.
        return count <= 2 * 32 + 9 ? .p256 : count <= 2 * 48 + 9 ? .p384 : .p521
    }
}
