import Facts
import Policy
import Testing

@testable import TLS

/// root, middle and certificates of servers below it, as somebody's own CA issues them.
struct Chain {
    let root: Certificate
    let middle: Certificate
    /// For a.test.
    let leaf: Certificate
    /// For an address.
    let address: Certificate
    /// For no name at all, with a common name.
    let nameless: Certificate
    /// The same, of a client.
    let client: Certificate

    init() throws {
        let (rootKey, key) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        func make(
            _ name: String, by issuer: String, _ issuerKey: PrivateKey, _ own: PrivateKey,
            _ extensions: [CertificateExtension]
        ) throws -> Certificate {
            try CertificateBuilder(
                serial: try CertificateBuilder.randomSerial(), signature: .ecdsa(.sha256),
                issuer: TLS.DistinguishedName(commonName: issuer).der,
                subject: TLS.DistinguishedName(commonName: name).der,
                notBefore: 1_600_000_000, notAfter: 2_200_000_000, publicKey: own.publicKeyDER, extensions: extensions
            ).signed(by: issuerKey)
        }
        func names(_ host: String) throws -> CertificateExtension {
            .subjectAltNames([try #require(HostName(host))])
        }
        root = try make("root", by: "root", rootKey, rootKey, [.authority(pathLength: 3)])
        middle = try make("middle", by: "root", rootKey, key, [.authority(pathLength: 0)])
        leaf = try make("leaf", by: "middle", key, key, [.endEntity, .serverAuth, try names("a.test")])
        address = try make("address", by: "middle", key, key, [.endEntity, try names("192.0.2.1")])
        nameless = try make("a.test", by: "middle", key, key, [.endEntity, .serverAuth])
        client = try make("client", by: "middle", key, key, [.endEntity, .clientAuth])
    }
}
