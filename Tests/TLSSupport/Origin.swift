import Facts
import Support

@testable import TLS

/// 2026-01-01T00:00:00Z: the time in which these tests live.
package let testNow = 1_767_225_600.0

/// An origin's own chain, as somebody else's CA would sign it: a private root, and a leaf with a key of its own.
package struct Origin {
    package let root: Certificate
    package let leaf: Certificate
    package let key: PrivateKey

    package init(_ name: String = "api.example.com", key type: KeyType = .p256) throws {
        let authority = try CertificateAuthority.general(now: testNow)
        key = try PrivateKey.generate(type)
        root = authority.root
        leaf = try CertificateBuilder(
            serial: CertificateBuilder.randomSerial(), signature: authority.signature, issuer: authority.issuerDER,
            subject: DistinguishedName(organization: "Example", commonName: name).der,
            notBefore: Int64(testNow) - 86_400, notAfter: Int64(testNow) + 86_400 * 300, publicKey: key.publicKeyDER,
            extensions: [
                .keyUsage(.digitalSignature), .serverAuth, .endEntity,
                .subjectKeyIdentifier(CertificateAuthority.keyIdentifier(of: key.publicKeyDER)),
                .authorityKeyIdentifier(authority.keyIdentifier), .subjectAltName(try host(name)),
            ]
        ).signed(by: authority.key)
    }
}
