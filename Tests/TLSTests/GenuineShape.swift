import Facts
import TLSSupport
import Testing

@testable import TLS

/// A genuine chain of a given shape, as somebody else's CA would have made it.
struct GenuineShape: CustomTestStringConvertible {
    var title: String
    var leaf = KeyType.p256
    /// The leaf's issuer first, the root last; none: the leaf signs itself.
    var issuers: [KeyType] = [.p256, .p256]
    var showsRoot = false
    var names = ["api.example.com"]
    var commonName: String? = "api.example.com"
    var extensions: [CertificateExtension] = []
    /// Of the leaf's issuer, besides those that every issuer has.
    var ofIssuer: [CertificateExtension] = []
    /// The leaf's issuer has basic constraints that are not critical, and no key usage.
    var isLax = false
    /// Before now, and after it.
    var days: (Int64, Int64) = (100, 265)

    var testDescription: String { title }

    func chain() throws -> GenuineChain {
        let now = Int64(testNow)
        var signer: (key: PrivateKey, name: [UInt8], identifier: [UInt8])?
        var all: [Certificate] = []
        func add(
            _ name: [UInt8], _ key: PrivateKey, from begin: Int64, until end: Int64, _ own: [CertificateExtension]
        ) throws {
            let identifier = CertificateAuthority.keyIdentifier(of: key.publicKeyDER)
            let by = signer ?? (key, name, identifier)
            var signature = CertificateAuthority.signature(for: by.key)
            if case .ec = by.key.type, by.key.type != .p256 { signature = .ecdsa(.sha384) }
            let made = try CertificateBuilder(
                serial: CertificateBuilder.randomSerial(), signature: signature, issuer: by.name, subject: name,
                notBefore: now - 86_400 * begin, notAfter: now + 86_400 * end, publicKey: key.publicKeyDER,
                extensions: own + [.subjectKeyIdentifier(identifier), .authorityKeyIdentifier(by.identifier)]
            ).signed(by: by.key)
            all.insert(made, at: 0)
            signer = (key, name, identifier)
        }
        for (height, type) in issuers.enumerated().reversed() {
            let name = DistinguishedName(organization: "Example Trust", commonName: "Example CA \(height)").der
            let policies = CertificateExtension(
                oid: DER.oid(2, 5, 29, 32), critical: false,
                value: DER.sequence(DER.sequence(DER.oid(2, 23, 140, 1, 2, 1))))
            var ofCA: [CertificateExtension] = [
                .authority(pathLength: UInt(height)), .keyUsage(.keyCertSign, .crlSign), policies,
            ]
            if isLax, height == 0 {
                ofCA.remove(at: 1)
                ofCA[0].critical = false
            }
            try add(
                name, PrivateKey.generate(type), from: 1000, until: 2000,
                ofCA
                    + (height == 0 ? ofIssuer : []))
        }
        let key = try PrivateKey.generate(leaf)
        let alternative = CertificateExtension(
            oid: OID.subjectAltName, critical: false, value: DER.sequence(names.map { DER.implicit(2, $0.utf8) }))
        try add(
            DistinguishedName(organization: "Example Ltd", commonName: commonName).der, key, from: days.0,
            until: days.1,
            [LeafKey(key).usage, .serverAuth, .endEntity] + extensions + [alternative])
        let shown = showsRoot || issuers.isEmpty ? all : all.dropLast()
        return GenuineChain(Array(shown), verifiedAs: all)
    }
}
