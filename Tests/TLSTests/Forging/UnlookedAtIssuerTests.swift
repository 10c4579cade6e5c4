import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// Chains with an issuer that clients never look at, as one that an old root has signed for a new one.
@Suite("issuers that no client verifies")
struct UnlookedAtIssuerTests {
    static let material = Result { try ForgeMaterial(.general(now: testNow)) }

    /// What nobody minds who stops at the new root, and what everybody minds who goes on.
    static let inTheWay: [CertificateExtension] = [
        .clientAuth,
        CertificateExtension(oid: DER.oid(1, 2, 3, 4, 5), critical: true, value: [5, 0]),
        CertificateExtension(oid: OID.inhibitAnyPolicy, critical: true, value: [2, 1, 0]),
        // Client, server and object signing, and none of the CAs.
        CertificateExtension(oid: OID.netscapeType, critical: false, value: [3, 2, 4, 0xd0]),
    ]

    @Test(
        "what is made in its place is taken by a client without a pin, and says that it differs", arguments: inTheWay)
    func taken(one: CertificateExtension) throws {
        let material = try Self.material.get()
        let target = try host("api.example.com")
        let genuine = try GenuineShape(title: "", ofIssuer: [one]).chain()
        let forms: [(Attack, String?)] = [(.trustedCA, nil), (.clonedIdentity, "trusted"), (.smuggledChain, "cloned")]
        for (attack, form) in forms {
            let variant = try #require(attack.variants.first { $0.name == form })
            let made = try Forge(material).chain(
                for: target, attack: attack, variant: variant, rsaLeaf: false, genuine: genuine, now: testNow)
            let trial = try HandshakeTrial(
                made, to: target, trusting: [material.trusted.root], version: .tls13, now: testNow)
            #expect(trial.completed, "\(attack.id) \(form ?? ""): \(trial.verification) \(trial.verdict)")
            guard attack == .trustedCA else { continue }
            #expect(
                try made.certificates.allSatisfy { try !$0.extensions().contains { $0.oid == one.oid && $0.critical } })
            #expect(made.unlike.contains("extensions"), "\(made.unlike)")
        }
    }

    @Test("the lint sees an issuer for other things than servers, and one with a critical extension that nobody knows")
    func linted() throws {
        let authority = try CertificateAuthority.general(now: testNow)
        let key = try PrivateKey.generate(.p256)
        let identifier = CertificateAuthority.keyIdentifier(of: key.publicKeyDER)
        func issuer(_ own: [CertificateExtension]) throws -> Certificate {
            try CertificateBuilder(
                serial: CertificateBuilder.randomSerial(), signature: authority.signature, issuer: authority.issuerDER,
                subject: DistinguishedName(commonName: "between").der, notBefore: Int64(testNow) - 86_400,
                notAfter: Int64(testNow) + 86_400, publicKey: key.publicKeyDER,
                extensions: [
                    .authority(pathLength: 0), .keyUsage(.keyCertSign), .subjectKeyIdentifier(identifier),
                    .authorityKeyIdentifier(authority.keyIdentifier),
                ] + own
            ).signed(by: authority.key)
        }
        let leaf = try Origin().leaf
        let broken = CertificateExtension(oid: DER.oid(2, 5, 29, 31), critical: false, value: [1, 2, 3])
        let cases: [([CertificateExtension], Set<LeafDefect>)] = [
            ([], []), ([.clientAuth], [.noServerAuth]), ([Self.inTheWay[1]], [.unknownCritical]),
            // Nothing that it says counts then.
            ([broken], [.noServerAuth, .keyIdentifiers, .keyUsage]),
        ]
        for (own, defects) in cases {
            let found = try LeafLint(trusted: authority.issuing)
                .subordinateDefects(leaf, [issuer(own)], testNow)
            #expect(found == defects, "\(own)")
        }
    }

    @Test("what strict clients ask for is there, where the genuine issuer lacks it")
    func strict() throws {
        let genuine = try GenuineShape(title: "", isLax: true).chain()
        let variant = try #require(Attack.trustedCA.variants.first)
        let made = try Forge(Self.material.get()).chain(
            for: host("api.example.com"), attack: .trustedCA, variant: variant, rsaLeaf: false, genuine: genuine,
            now: testNow)
        let extensions = try made.certificates[1].extensions()
        #expect(extensions.contains { $0.oid == OID.keyUsage })
        #expect(extensions.first { $0.oid == OID.basicConstraints }?.critical == true)
        #expect(made.unlike.contains("extensions"))
    }

    @Test(
        "what clients do go along with stays: servers among its purposes, policies, an extension that is not critical")
    func kept() throws {
        let note = CertificateExtension(oid: DER.oid(1, 2, 3, 4, 5), critical: false, value: [5, 0])
        let genuine = try GenuineShape(title: "", ofIssuer: [.serverAuth, note]).chain()
        let variant = try #require(Attack.trustedCA.variants.first)
        let made = try Forge(Self.material.get()).chain(
            for: host("api.example.com"), attack: .trustedCA, variant: variant, rsaLeaf: false, genuine: genuine,
            now: testNow)
        #expect(made.certificates.count == 2 && !made.unlike.contains("extensions"))
        #expect(try made.certificates[1].extensions().contains(note))
    }
}
