import Facts
import TLSSupport
import Testing

@testable import TLS

/// An origin as public ones are: root, intermediate, and a leaf with wildcards, client use and a year of life.
struct PublicOrigin {
    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate
    let key: PrivateKey
    /// The root is never sent; verification adds it.
    var chain: GenuineChain { GenuineChain([leaf, intermediate], verifiedAs: [leaf, intermediate, root]) }

    /// The alternative names, in order.
    static let names = ["*.example.com", "example.com", "api.example.com.test"]

    init(
        key type: KeyType = .p256, issuer issuerType: KeyType = .p384, extensions: [CertificateExtension] = []
    ) throws {
        let authority = try CertificateAuthority.general(now: testNow)
        root = authority.root
        let issuerKey = try PrivateKey.generate(issuerType)
        let issuerName = DistinguishedName(organization: "Example Trust", commonName: "Example Issuing CA 7").der
        let issuerIdentifier = [UInt8](repeating: 0x77, count: 20)
        let now = Int64(testNow)
        intermediate = try CertificateBuilder(
            serial: CertificateBuilder.randomSerial(), signature: authority.signature, issuer: authority.issuerDER,
            subject: issuerName, notBefore: now - 86_400 * 400, notAfter: now + 86_400 * 400,
            publicKey: issuerKey.publicKeyDER,
            extensions: [
                .authority(pathLength: 0), .keyUsage(.keyCertSign, .crlSign),
                .subjectKeyIdentifier(issuerIdentifier), .authorityKeyIdentifier(authority.keyIdentifier),
            ]
        ).signed(by: authority.key)
        key = try PrivateKey.generate(type)
        var signature = CertificateAuthority.signature(for: issuerKey)
        if issuerType == .p384 { signature = .ecdsa(.sha384) }
        leaf = try CertificateBuilder(
            serial: [0x03, 0xe5, 0x61, 0x02], signature: signature, issuer: issuerName,
            subject: DistinguishedName(organization: "Example Ltd", commonName: "example.com").der,
            notBefore: now - 86_400 * 100, notAfter: now + 86_400 * 297, publicKey: key.publicKeyDER,
            extensions: [
                LeafKey(key).usage,
                CertificateExtension(
                    oid: OID.extendedKeyUsage, critical: false, value: DER.sequence(OID.serverAuth, OID.clientAuth)),
                .endEntity, .subjectKeyIdentifier([UInt8](repeating: 0x11, count: 20)),
                .authorityKeyIdentifier(issuerIdentifier),
                CertificateExtension(
                    oid: OID.subjectAltName, critical: false,
                    value: DER.sequence(Self.names.map { DER.implicit(2, $0.utf8) })),
            ] + extensions
        ).signed(by: issuerKey)
    }
}

/// A CA as versions without room for others below it made it.
func narrowAuthority(pathLength: UInt = 0) throws -> CertificateAuthority {
    let key = try PrivateKey.generate(.p256)
    let name = DistinguishedName(organization: "pinproof", commonName: "pinproof root 12345678 2025-01-01").der
    let identifier = CertificateAuthority.keyIdentifier(of: key.publicKeyDER)
    let root = try CertificateBuilder(
        serial: CertificateBuilder.randomSerial(), signature: .ecdsa(.sha256), issuer: name, subject: name,
        notBefore: Int64(testNow) - 86_400 * 200, notAfter: Int64(testNow) + 86_400 * 500, publicKey: key.publicKeyDER,
        extensions: [
            .authority(pathLength: pathLength), .keyUsage(.keyCertSign, .crlSign), .subjectKeyIdentifier(identifier),
            .authorityKeyIdentifier(identifier),
        ]
    ).signed(by: key)
    return try CertificateAuthority(kind: .general, root: root, issuing: root, key: key)
}

extension Certificate {
    /// The dNSNames, as text.
    var dnsNames: [String] { (alternativeNames ?? []).map { String(decoding: $0.bytes, as: UTF8.self) } }
}
