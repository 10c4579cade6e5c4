import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// Genuine chains that nothing can be made like.
@Suite("a plain chain in place of one like the genuine")
struct PlainInsteadTests {
    private let target: HostName
    private let material: ForgeMaterial
    /// It names its hosts twice over, in two extensions: nobody knows which ones count.
    private let odd: GenuineChain

    init() throws {
        target = try host("api.example.com")
        material = try ForgeMaterial(.general(now: testNow))
        let twice = CertificateExtension(
            oid: OID.subjectAltName, critical: false, value: DER.sequence(DER.implicit(2, "a.test".utf8)))
        odd = try GenuineShape(title: "", leaf: .p384, extensions: [twice]).chain()
    }

    private func chain(
        _ attack: Attack, _ form: String? = nil, with other: ForgeMaterial? = nil
    ) throws -> PresentedChain {
        let variant = try #require(attack.variants.first { $0.name == form })
        return try Forge(other ?? material).chain(
            for: target, attack: attack, variant: variant, rsaLeaf: false, genuine: odd, now: testNow)
    }

    @Test("trusted-ca and its twin are plain alike, which is told")
    func plain() throws {
        for (attack, root) in [(Attack.trustedCA, material.trusted.root), (.untrustedCA, material.untrusted.root)] {
            let made = try chain(attack)
            #expect(made.certificates.count == 1 && made.unlike == ["plain-chain"])
            #expect(made.certificates[0].dnsNames == ["api.example.com"] && made.certificates[0].keyType == .p384)
            #expect(
                try HandshakeTrial(made, to: target, trusting: [root], version: .tls13, now: testNow).completed)
        }
    }

    @Test("with a lent key, the other leaf still has its type")
    func lent() throws {
        let key = try PrivateKey.generate(.p384)
        let lending = try ForgeMaterial(
            material.trusted,
            lent: LentMaterials([target: .init(backupKey: key, sameCAChain: nil, otherHost: nil)]))
        let (own, other) = (try chain(.lentKey, with: lending), try chain(.trustedCA, with: lending))
        #expect(own.unlike == ["plain-chain"] && other.unlike == ["plain-chain"])
        #expect(own.certificates[0].publicKeyDER == key.publicKeyDER && other.certificates[0].keyType == .p384)
    }

    @Test(
        "a defect that came with the genuine names comes without them",
        arguments: [
            (Attack.expired, nil as String?, 10), (.expired, "issuer", 10), (.notYetValid, nil, 9),
            (.selfSigned, nil, 18), (.otherHost, nil, 62),
            (.wrongUsage, "client-auth", 26), (.wrongUsage, "name-constraints", 47), (.wrongUsage, "path-length", 25),
        ])
    func defects(one: (Attack, String?, Int)) throws {
        let made = try chain(one.0, one.1)
        #expect(made.unlike == ["plain-chain"])
        let trial = try HandshakeTrial(
            made, to: target, trusting: [material.trusted.root], version: .tls13, now: testNow)
        #expect(!trial.completed && trial.verification == one.2, "\(trial.verdict)")
    }

    @Test("where the likeness is all there is, nothing is presented")
    func clones() throws {
        for form in ["trusted", "untrusted", "without-root"] {
            #expect(throws: ForgeError.self) { try chain(.clonedIdentity, form) }
        }
        #expect(throws: ForgeError.self) { try chain(.smuggledChain, "cloned") }
    }

    @Test("recipes without a likeness have nothing plainer")
    func recipes() {
        #expect(Recipe().plain == nil && Attack.Variant.unattacked.recipe.plain == nil)
        for attack in AttackCatalogue.all {
            for variant in attack.variants {
                guard let plain = variant.recipe.plain else { continue }
                #expect(plain.identity == .own && plain.plain == nil && plain.defects == variant.recipe.defects)
                #expect(
                    plain.signer == variant.recipe.signer
                        && (!plain.usesGenuineChain || attack.id == Attack.smuggledChain.id))
            }
        }
    }
}
