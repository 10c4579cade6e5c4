import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// A CA that bears the name of the genuine root.
@Suite("CAs named like a genuine root")
struct RootModelTests {
    let target: HostName
    init() throws { target = try host("api.example.com") }

    static let shapes = [
        GenuineShape(title: "P-256, three levels"),
        GenuineShape(title: "RSA-4096 root", issuers: [.rsa(bits: 2048), .rsa(bits: 4096)]),
        GenuineShape(title: "P-384, the leaf directly under its root", leaf: .p384, issuers: [.p384]),
        GenuineShape(title: "the root is shown", issuers: [.p256, .p384, .p521], showsRoot: true),
    ]

    private func model(_ genuine: GenuineChain) throws -> RootModel {
        try #require(genuine.certificates.last.flatMap(RootModel.init(above:)))
    }

    @Test("it has the genuine root's name, and a key of the same type and size that is its own", arguments: shapes)
    func isAlike(shape: GenuineShape) throws {
        let genuine = try shape.chain()
        let root = try #require(genuine.issuers.last)
        let profile = try profile(refuse: ["api.example.com"])
        for authority in [
            try CertificateAuthority.general(now: testNow, like: model(genuine)),
            try CertificateAuthority.constrained(to: profile, now: testNow, like: model(genuine)),
        ] {
            #expect(authority.root.subjectDER == root.subjectDER && authority.root.issuerDER == root.subjectDER)
            #expect(authority.root.keyType == shape.issuers.last)
            #expect(authority.root.publicKeyDER != root.publicKeyDER)
            #expect(authority.root.subjectKeyIdentifier != root.subjectKeyIdentifier)
            #expect(authority.root.signed(authority.root) && !root.signed(authority.root))
            #expect(authority.isNamesake)
        }
        #expect(try !CertificateAuthority.general(now: testNow).isNamesake)
    }

    @Test("the key of a root that is not shown is told by its signature; where none can be made, there is no model")
    func keys() throws {
        for type in [KeyType.p256, .p384, .p521, .rsa(bits: 2048), .rsa(bits: 4096)] {
            let genuine = try GenuineShape(title: "", issuers: [.p256, type]).chain()
            #expect(try model(genuine).keyType == type)
        }
        for issuers in [[KeyType.p256, .ed25519], [.ed25519]] {
            for showsRoot in [true, false] {
                let genuine = try GenuineShape(title: "", issuers: issuers, showsRoot: showsRoot).chain()
                let topmost = try #require(genuine.certificates.last)
                #expect(RootModel(above: topmost) == nil)
            }
        }
    }

    @Test(
        "clients that trust it take its chains, also beside the genuine root; the root's name is no difference any more",
        arguments: shapes)
    func isTaken(shape: GenuineShape) throws {
        let genuine = try shape.chain()
        let material = try ForgeMaterial(.general(now: testNow, like: model(genuine)))
        let roots = [try #require(genuine.issuers.last), material.trusted.root]
        for attack in [Attack.trustedCA, .clonedIdentity, .smuggledChain, .expired] {
            for variant in attack.variants where variant.recipe.signer == .trustedCA && variant.recipe.name != .wildcard
            {
                // It does not say which of two roots of one name has signed it.
                // OpenSSL goes along the first issuer that fits alone, which is the genuine one there.
                if variant.recipe.isBare || variant.name == "identifiers-first" { continue }
                let chain = try Forge(material).chain(
                    for: target, attack: attack, variant: variant, rsaLeaf: false, genuine: genuine, now: testNow)
                #expect(!chain.unlike.contains("root-name"))
                for trusted in [roots, roots.reversed(), [material.trusted.root]] {
                    let trial = try HandshakeTrial(
                        chain, to: target, trusting: trusted, version: .tls13, now: testNow)
                    let code: Int =
                        switch variant.recipe.defects {
                        case [.wrongName]: 62
                        case [.expired]: 10
                        case [.notYetValid]: 9
                        default: 0
                        }
                    #expect(trial.verification == code, "\(attack.name(of: variant)): \(trial.verdict)")
                }
                let alone = try HandshakeTrial(
                    chain, to: target, trusting: [roots[0]], version: .tls13, now: testNow)
                #expect(!alone.completed, "the genuine root vouches for nothing of this")
            }
        }
    }

    @Test("every chain can be made under it, with the defects that it is to have", arguments: shapes)
    func everyAttack(shape: GenuineShape) throws {
        let genuine = try shape.chain()
        let material = try ForgeMaterial(.general(now: testNow, like: model(genuine)))
        for attack in AttackCatalogue.all {
            for variant in attack.variants where variant.needs == nil {
                #expect(throws: Never.self, "\(attack.name(of: variant))") {
                    try Forge(material).chain(
                        for: target, attack: attack, variant: variant, rsaLeaf: false, genuine: genuine, now: testNow)
                }
            }
        }
    }

    @Test("a clone's root is the CA itself: nothing that is made below it has its name")
    func standsForTheRoot() throws {
        let genuine = try GenuineShape(title: "").chain()
        let material = try ForgeMaterial(.general(now: testNow, like: model(genuine)))
        let root = material.trusted.root
        func clone(_ form: String) throws -> [Certificate] {
            let variant = try #require(Attack.clonedIdentity.variants.first { $0.name == form })
            return try Forge(material).chain(
                for: target, attack: .clonedIdentity, variant: variant, rsaLeaf: false, genuine: genuine, now: testNow
            ).certificates
        }
        let (whole, short) = (try clone("trusted"), try clone("without-root"))
        #expect(whole.map(\.subjectDER) == (genuine.certificates + [root]).map(\.subjectDER))
        #expect(whole.last == root && root.signed(whole[1]) && whole[1].signed(whole[0]))
        #expect(short.map(\.subjectDER) == genuine.certificates.map(\.subjectDER))
        // The CA that nobody installed has another name, and there the look-alike is made.
        let untrusted = try clone("untrusted")
        #expect(untrusted.count == 3 && untrusted.last?.subjectDER == root.subjectDER && untrusted.last != root)
        #expect(material.untrusted.root.subjectDER != root.subjectDER)
    }
}
