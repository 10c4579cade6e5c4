import Facts
import Policy
import Testing

@testable import TLS

/// 2026-01-01T00:00:00Z: the time in which these tests live.
let testNow = 1_767_225_600.0

func host(_ text: String) throws -> HostName { try #require(HostName(text)) }

func profile(
    refuse: [String] = ["api.example.com"], accept: [String] = [], tunnel: [String] = [], controls: [String] = [],
    others: Others = .tunnel
) throws -> Profile {
    func rules(_ names: [String], _ expect: HostExpectation) throws -> [HostRule] {
        try names.map { HostRule(pattern: try #require(HostPattern($0)), expect: expect) }
    }
    return Profile(
        name: "test", rules: try rules(refuse, .refuse) + rules(accept, .accept) + rules(tunnel, .tunnel),
        others: others, controls: try controls.map { try #require(HostPattern($0)) })
}

/// An origin's own chain: a private root, and a leaf with a key of the type asked for.
struct Origin {
    let root: Certificate
    let leaf: Certificate
    let key: PrivateKey

    init(_ name: String = "api.example.com", key type: KeyType = .p256) throws {
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
