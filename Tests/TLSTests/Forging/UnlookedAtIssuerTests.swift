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
