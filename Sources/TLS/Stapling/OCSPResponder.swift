import COpenSSL
import Facts

/// Says of one forged leaf that it is good, in the name of the one that issued it.
struct OCSPResponder: Sendable {
    /// Of the issuer, in DER.
    let name: [UInt8]
    let key: PrivateKey
    let signature: SignatureAlgorithm
    /// The leaf's.
    let serial: [UInt8]
    /// The issuer's own, where the list that is presented lacks it: a client that looks for it there finds it here.
    let certificate: Certificate?

    /// A whole OCSPResponse in DER (RFC 6960 §4.2.1), signed by the issuer itself, with dates and form of a genuine one.
    func answer(like form: StapleForm) throws(OpenSSLError) -> [UInt8] {
        let keyBits = Self.keyBits(key.publicKeyDER)
        // A key is always named by its SHA-1, whatever names the certificate.
        let responder =
            try form.isNamedByKey
            ? DER.explicit(2, DER.octetString(StapleForm.Digest.sha1.of(keyBits))) : DER.explicit(1, name)
        let certificateID = try DER.sequence(
            DER.sequence(form.digest.identifier, DER.null), DER.octetString(form.digest.of(name)),
            DER.octetString(form.digest.of(keyBits)), DER.integer(serial))
        var single = [certificateID, Self.good, DER.generalizedTime(form.thisUpdate)]
        if let next = form.nextUpdate { single.append(DER.explicit(0, DER.generalizedTime(next))) }
        let data = DER.sequence(
            responder, DER.generalizedTime(form.producedAt), DER.sequence(DER.sequence(single)))
        var parts = try [data, signature.der, DER.bitString(key.sign(data, with: signature.digest))]
        if let certificate { parts.append(DER.explicit(0, DER.sequence(certificate.der))) }
        let basic = DER.sequence(OID.basicOCSP, DER.octetString(DER.sequence(parts)))
        return DER.sequence(Self.successful, DER.explicit(0, basic))
    }

    /// OCSPResponseStatus `successful`: an ENUMERATED of 0.
    private static let successful: [UInt8] = [0x0a, 0x01, 0x00]
    /// CertStatus `good`: `[0] IMPLICIT NULL`.
    private static let good: [UInt8] = [0x80, 0x00]

    /// The key's bits without what says of which kind they are: the content of SubjectPublicKeyInfo's BIT STRING.
    private static func keyBits(_ publicKey: [UInt8]) -> [UInt8] {
        guard let outer = DERElement(publicKey, at: 0), let parts = DERElement.children(publicKey, in: outer.content),
            let bits = parts.last
        else { return [] }
        return Array(publicKey[bits.content].dropFirst())
    }
}

extension StapleForm.Digest {
    /// Its identifier in DER.
    fileprivate var identifier: [UInt8] {
        switch self {
        case .sha1: DER.oid(1, 3, 14, 3, 2, 26)
        case .sha256: DER.oid(2, 16, 840, 1, 101, 3, 4, 2, 1)
        case .sha384: DER.oid(2, 16, 840, 1, 101, 3, 4, 2, 2)
        case .sha512: DER.oid(2, 16, 840, 1, 101, 3, 4, 2, 3)
        }
    }

    fileprivate func of(_ bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        try OpenSSLError.trying("hash with \(rawValue)") { () -> [UInt8]? in
            var out = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
            var count = 0
            guard unsafe EVP_Q_digest(nil, rawValue, nil, bytes, bytes.count, &out, &count) == 1 else { return nil }
            return Array(out.prefix(count))
        }
    }
}
