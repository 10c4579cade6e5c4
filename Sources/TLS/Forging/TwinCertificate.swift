import COpenSSL

extension CertificateAuthority {
    /// The untrusted twin: same depth, key types, dates, extensions and name constraints as this CA; only its keys,
    /// its names and its serial numbers differ. So a client that treats the two differently tells them by trust.
    package func twin() throws -> CertificateAuthority {
        guard issuing != root else {
            let twin = try TwinCertificate(of: root, under: nil)
            return try CertificateAuthority(
                kind: kind, root: twin.certificate, issuing: twin.certificate, key: twin.key)
        }
        let newRoot = try TwinCertificate(of: root, under: nil)
        let twin = try TwinCertificate(of: issuing, under: newRoot)
        return try CertificateAuthority(kind: kind, root: newRoot.certificate, issuing: twin.certificate, key: twin.key)
    }
}

/// A copy of a CA certificate in everything but key, names, serial and key identifiers.
struct TwinCertificate {
    let certificate: Certificate
    let key: PrivateKey

    /// What a certificate says about the one that issued it.
    private struct Issuer {
        let key: PrivateKey
        let name: [UInt8]
        let keyIdentifier: [UInt8]
        /// The issuer's own serial and the name of *its* issuer, for key identifiers that carry them; nil: made up.
        let serial: [UInt8]?
        let issuerName: [UInt8]?
    }

    /// Without a parent, a certificate that another one issued gets an issuer that was never there.
    init(of original: Certificate, under parent: TwinCertificate?) throws {
        let own = try PrivateKey.generate(original.keyType)
        let identifier = try Self.identifier(for: own, like: original.subjectKeyIdentifier ?? [])
        let subject = try Self.name(like: original.subjectDER, identifier)
        let serial = try Self.serial(like: original.serial)
        let issuer: Issuer
        if original.isSelfIssued {
            issuer = Issuer(key: own, name: subject, keyIdentifier: identifier, serial: serial, issuerName: subject)
        } else if let parent {
            issuer = Issuer(
                key: parent.key, name: parent.certificate.subjectDER,
                keyIdentifier: parent.certificate.subjectKeyIdentifier ?? [], serial: parent.certificate.serial,
                issuerName: parent.certificate.issuerDER)
        } else {
            let key = try PrivateKey.generate(original.signerKeyType)
            let identifier = try Self.identifier(for: key, like: original.authorityKeyIdentifier ?? [])
            issuer = Issuer(
                key: key, name: try Self.name(like: original.issuerDER, identifier), keyIdentifier: identifier,
                serial: nil, issuerName: nil)
        }
        var extensions = try original.extensions()
        for index in extensions.indices {
            let found = extensions[index]
            if found.oid == OID.subjectKeyIdentifier { extensions[index].value = DER.octetString(identifier) }
            if found.oid == OID.authorityKeyIdentifier {
                extensions[index].value = try Self.authorityKeyIdentifier(like: found.value, issuer)
            }
        }
        key = own
        certificate = try CertificateBuilder(
            version: UInt(clamping: unsafe X509_get_version(original.x509)), serial: serial,
            signature: original.signatureAlgorithm ?? CertificateAuthority.signature(for: issuer.key),
            issuer: issuer.name, subject: subject, notBefore: original.notBefore, notAfter: original.notAfter,
            publicKey: own.publicKeyDER, extensions: extensions
        ).signed(by: issuer.key)
    }

    /// A key identifier as long as the original's.
    private static func identifier(for key: PrivateKey, like original: [UInt8]) throws -> [UInt8] {
        let digest = SHA256.digest(key.publicKeyDER)
        return try Array((digest + Random.bytes(max(0, original.count - digest.count))).prefix(original.count))
    }

    /// Another serial that is written in as many bytes.
    private static func serial(like original: [UInt8]) throws -> [UInt8] {
        guard let first = original.first, original.contains(where: { $0 != 0 }) else { return original }
        while true {
            var bytes = try Random.bytes(original.count)
            bytes[0] = first & 0x80 | bytes[0] & 0x7f
            if bytes[0] != 0, bytes != original { return bytes }
        }
    }

    /// AuthorityKeyIdentifier (RFC 5280 §4.2.1.1) with the same fields, each as long as it was.
    private static func authorityKeyIdentifier(like value: [UInt8], _ issuer: Issuer) throws -> [UInt8] {
        guard let outer = DERElement(value, at: 0), let fields = DERElement.children(value, in: outer.content) else {
            return value
        }
        return try DER.sequence(
            fields.map { field in
                let old = Array(value[field.content])
                switch field.tag {
                case 0x80: return try DER.tagged(0x80, fitted(issuer.keyIdentifier, old.count))
                case 0xa1: return try DER.tagged(0xa1, directoryName(like: old, issuer.issuerName))
                case 0x82:
                    // A serial whose first bit is set has a zero before it.
                    let zeros = old.prefix { $0 == 0 }
                    let serial = try issuer.serial ?? serial(like: Array(old.dropFirst(zeros.count)))
                    return try DER.tagged(0x82, zeros + fitted(serial, old.count - zeros.count))
                default: return DER.tagged(field.tag, old)
                }
            })
    }

    /// GeneralNames with one directoryName, or whatever else stands there unchanged.
    private static func directoryName(like old: [UInt8], _ name: [UInt8]?) throws -> [UInt8] {
        guard let directory = DERElement(old, at: 0), directory.tag == 0xa4, directory.end == old.count else {
            return old
        }
        return try DER.explicit(4, name ?? Self.name(like: Array(old[directory.content]), []))
    }

    private static func fitted(_ bytes: [UInt8], _ count: Int) throws -> [UInt8] {
        bytes.count == count ? bytes : try Random.bytes(count)
    }
}
