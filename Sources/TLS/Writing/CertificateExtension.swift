/// An extension of a certificate as it is written: identifier, criticality, value.
struct CertificateExtension: Hashable {
    /// The identifier in DER.
    var oid: [UInt8]
    var critical: Bool
    /// DER of the value, without the OCTET STRING around it.
    var value: [UInt8]

    var der: [UInt8] {
        critical
            ? DER.sequence(oid, DER.boolean(true), DER.octetString(value))
            : DER.sequence(oid, DER.octetString(value))
    }
}

extension CertificateExtension {
    /// What a key may be used for, by the bit numbers of RFC 5280 §4.2.1.3.
    enum KeyUsage: Int { case digitalSignature = 0, keyEncipherment = 2, keyCertSign = 5, crlSign = 6 }

    static func keyUsage(_ usages: KeyUsage...) -> Self {
        Self(oid: OID.keyUsage, critical: true, value: DER.namedBits(Set(usages.map(\.rawValue))))
    }

    /// An end entity: CA:FALSE is the default and therefore not written (X.690 §11.5).
    static let endEntity = Self(oid: OID.basicConstraints, critical: true, value: DER.sequence())

    static func authority(pathLength: UInt) -> Self {
        Self(
            oid: OID.basicConstraints, critical: true,
            value: DER.sequence(DER.boolean(true), DER.integer(pathLength)))
    }

    static let serverAuth = Self(oid: OID.extendedKeyUsage, critical: false, value: DER.sequence(OID.serverAuth))

    static let clientAuth = Self(oid: OID.extendedKeyUsage, critical: false, value: DER.sequence(OID.clientAuth))

    static func subjectKeyIdentifier(_ identifier: [UInt8]) -> Self {
        Self(oid: OID.subjectKeyIdentifier, critical: false, value: DER.octetString(identifier))
    }

    /// Another public key of the subject, which only those look at who know it (X.509 (10/2019) §9.8.2).
    ///
    /// - Parameter publicKeyDER: its SubjectPublicKeyInfo, which is the value, byte for byte.
    static func alternativePublicKey(_ publicKeyDER: [UInt8]) -> Self {
        Self(oid: OID.subjectAltPublicKeyInfo, critical: false, value: publicKeyDER)
    }

    static func authorityKeyIdentifier(_ identifier: [UInt8]) -> Self {
        Self(oid: OID.authorityKeyIdentifier, critical: false, value: DER.sequence(DER.implicit(0, identifier)))
    }
}

/// Object identifiers in DER.
enum OID {
    static let commonName = DER.oid(2, 5, 4, 3)
    static let organization = DER.oid(2, 5, 4, 10)
    static let subjectKeyIdentifier = DER.oid(2, 5, 29, 14)
    static let keyUsage = DER.oid(2, 5, 29, 15)
    static let subjectAltName = DER.oid(2, 5, 29, 17)
    static let basicConstraints = DER.oid(2, 5, 29, 19)
    static let nameConstraints = DER.oid(2, 5, 29, 30)
    static let authorityKeyIdentifier = DER.oid(2, 5, 29, 35)
    static let policies = DER.oid(2, 5, 29, 32)
    static let policyConstraints = DER.oid(2, 5, 29, 36)
    static let extendedKeyUsage = DER.oid(2, 5, 29, 37)
    static let inhibitAnyPolicy = DER.oid(2, 5, 29, 54)
    static let subjectAltPublicKeyInfo = DER.oid(2, 5, 29, 72)
    /// What X.509 had before it had an extended key usage: who reads it still refuses a CA for other things than TLS.
    static let netscapeType = DER.oid(2, 16, 840, 1, 113_730, 1, 1)
    /// Signed certificate timestamps (RFC 6962 §3.3).
    static let timestamps = DER.oid(1, 3, 6, 1, 4, 1, 11129, 2, 4, 2)
    static let tlsFeature = DER.oid(1, 3, 6, 1, 5, 5, 7, 1, 24)
    /// The type of an OCSP response (RFC 6960 §4.2.1).
    static let basicOCSP = DER.oid(1, 3, 6, 1, 5, 5, 7, 48, 1, 1)
    static let serverAuth = DER.oid(1, 3, 6, 1, 5, 5, 7, 3, 1)
    static let clientAuth = DER.oid(1, 3, 6, 1, 5, 5, 7, 3, 2)
}
