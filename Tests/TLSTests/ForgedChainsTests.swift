import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// One attack's variant, and what OpenSSL makes of it.
struct ChainCase: CustomTestStringConvertible {
    let attack: Attack
    let variant: String
    /// What a strict client says.
    let code: Int
    /// What else OpenSSL would complain of for the same reason.
    var relatives: Set<Int> = []
    /// Certificates between leaf and root, under a general CA.
    var below = 0

    var testDescription: String { "\(attack.id)/\(variant)" }

    static let all = [
        ChainCase(attack: .leafAsCA, variant: "ca-false", code: 79, relatives: [32, 26], below: 1),
        ChainCase(attack: .leafAsCA, variant: "no-constraints", code: 79, relatives: [26], below: 1),
        ChainCase(attack: .badSignature, variant: "corrupted", code: 7),
        ChainCase(attack: .badSignature, variant: "other-key", code: 7),
        ChainCase(attack: .badSignature, variant: "genuine-issuer", code: 7),
        ChainCase(attack: .badSignature, variant: "zeros", code: 7),
        ChainCase(attack: .wrongUsage, variant: "client-auth", code: 26, below: 2),
        ChainCase(attack: .wrongUsage, variant: "common-name-only", code: 62),
        ChainCase(attack: .wrongUsage, variant: "nul-in-san", code: 62),
        ChainCase(attack: .wrongUsage, variant: "top-level-wildcard", code: 62),
        ChainCase(attack: .wrongUsage, variant: "parent-domain", code: 62),
        ChainCase(attack: .wrongUsage, variant: "affixed-name", code: 62),
        ChainCase(attack: .otherHost, variant: "of-the-app", code: 62),
        ChainCase(attack: .wrongUsage, variant: "name-constraints", code: 47, below: 1),
        ChainCase(attack: .wrongUsage, variant: "path-length", code: 25, below: 2),
        ChainCase(attack: .expired, variant: "issuer", code: 10, below: 2),
        ChainCase(attack: .weakCrypto, variant: "rsa-1024", code: 66),
        ChainCase(attack: .weakCrypto, variant: "sha-1", code: 68),
        ChainCase(attack: .weakCrypto, variant: "md5", code: 68, below: 1),
    ]
}

@Suite("chains that break one rule each")
struct ForgedChainsTests {
    let target: HostName
    let origin: PublicOrigin
    static let general = Result { try ForgeMaterial(.general(now: testNow)) }
    static let constrained = Result {
        // Both, so that the parent is in its scope, too.
        try ForgeMaterial(.constrained(to: profile(refuse: ["api.example.com", "example.com"]), now: testNow))
    }
    init() throws {
        target = try host("api.example.com")
        origin = try PublicOrigin()
    }

    private func chain(
        _ attack: Attack, _ name: String?, with material: ForgeMaterial, for host: HostName? = nil, rsa: Bool = false
    ) throws -> PresentedChain {
        let variant = try #require(attack.variants.first { $0.name == name })
        return try Forge(material).chain(
            for: host ?? target, attack: attack, variant: variant, rsaLeaf: rsa, genuine: origin.chain, now: testNow)
    }

    @Test(
        "a strict client refuses each for its own reason, and one that overlooks that reason takes it",
        arguments: ChainCase.all, [TLSVersion.tls12, .tls13])
    func strictAndSloppy(one: ChainCase, version: TLSVersion) throws {
        for material in [try Self.general.get(), try Self.constrained.get()] {
            if one.variant == "top-level-wildcard", material.trusted.kind == .constrained { continue }
            let chain = try chain(one.attack, one.variant, with: material)
            let roots = [material.trusted.root, origin.root]
            func trial(_ tolerated: Set<Int>) throws -> HandshakeTrial {
                try HandshakeTrial(
                    chain, to: target, trusting: roots, version: version, tolerating: tolerated, now: testNow)
            }
            let strict = try trial([])
            #expect(!strict.completed && strict.verification == one.code, "\(strict.verdict)")
            let sloppy = try trial(one.relatives.union([one.code]))
            #expect(sloppy.completed, "\(sloppy.verification) \(sloppy.verdict)")
        }
    }

    @Test("a smuggled chain ends as the origin's own list does, without the root that nobody sends")
    func smuggledEnd() throws {
        let presented = try chain(.smuggledChain, "after", with: try Self.general.get()).certificates
        #expect(presented.suffix(2) == [origin.leaf, origin.intermediate])
        let alone = try chain(.smuggledChain, "issuers-alone", with: try Self.general.get()).certificates
        #expect(alone.dropFirst() == [origin.intermediate])
        let between = try chain(.smuggledChain, "between", with: try Self.general.get()).certificates
        #expect(between.dropFirst().prefix(3) == [origin.intermediate, origin.root, origin.leaf])
    }

    @Test(
        "a smuggled chain's leaf has the genuine key in an extension, which is not its own key",
        arguments: Attack.smuggledChain.variants.filter { $0.recipe.identity == .ownBesideTheGenuineKey }.compactMap(
            \.name))
    func smuggledKey(form: String) throws {
        let genuine = origin.leaf.publicKeyDER
        for material in [try Self.general.get(), try Self.constrained.get()] {
            let leaf = try #require(chain(.smuggledChain, form, with: material).certificates.first)
            #expect(leaf.der.contains(genuine) && leaf.publicKeyDER != genuine)
            let plain = try #require(chain(.trustedCA, nil, with: material).certificates.first)
            #expect(!plain.der.contains(genuine))
        }
    }

    @Test("every signature but the one in question is the next certificate's", arguments: ChainCase.all)
    func signatures(one: ChainCase) throws {
        let material = try Self.general.get()
        let chain = try chain(one.attack, one.variant, with: material).certificates
        let namesGenuine = ["genuine-issuer", "zeros"].contains(one.variant)
        let path = namesGenuine ? chain : chain + [material.trusted.root]
        for (index, pair) in zip(path, path.dropFirst()).enumerated() {
            #expect(pair.1.signed(pair.0) == (one.attack.id != "bad-signature" || index > 0))
            #expect(pair.0.issuerDER == pair.1.subjectDER)
            #expect(pair.0.authorityKeyIdentifier == pair.1.subjectKeyIdentifier)
        }
        if !namesGenuine { #expect(chain.count == one.below + 1) }
    }

    @Test("the untrusted twin of each CA signs what it signs, and has as much room")
    func twins() throws {
        let material = try Self.constrained.get()
        #expect(material.untrusted.room == material.trusted.room && material.trusted.room == 4)
    }

    @Test("the issuer that is none: the decoy's own certificate, which a trusted CA may have issued")
    func leafAsCA() throws {
        let material = try Self.constrained.get()
        for (variant, hasConstraints) in [("ca-false", true), ("no-constraints", false)] {
            let issuer = try chain(.leafAsCA, variant, with: material).certificates[1]
            #expect(issuer.dnsNames == [Recipe.decoyName])
            let oids = try issuer.extensions().map(\.oid)
            #expect(oids.contains(OID.basicConstraints) == hasConstraints)
            #expect(oids.contains(OID.keyUsage) == hasConstraints)
            #expect(oids.contains(OID.extendedKeyUsage))
        }
    }

    @Test("bad signatures are of the right kind and length; the genuine issuer stands beside the one in its name")
    func badSignatures() throws {
        let material = try Self.general.get()
        for variant in ["corrupted", "other-key"] {
            let leaf = try chain(.badSignature, variant, with: material).certificates[0]
            #expect(leaf.issuerDER == material.trusted.issuerDER && leaf.signatureAlgorithm == .ecdsa(.sha256))
        }
        let chain = try chain(.badSignature, "genuine-issuer", with: material).certificates
        #expect(Array(chain.dropFirst()) == [origin.intermediate, origin.root])
        #expect(chain[0].issuerDER == origin.leaf.issuerDER)
        #expect(chain[0].authorityKeyIdentifier == origin.intermediate.subjectKeyIdentifier)
        #expect(chain[0].signatureAlgorithm == .ecdsa(.sha384) && chain[0].signerKeyType == .p384)
        let zeros = try self.chain(.badSignature, "zeros", with: material).certificates
        #expect(zeros.dropFirst() == chain.dropFirst() && zeros[0].issuerDER == origin.leaf.issuerDER)
        #expect(zeros[0].signatureAlgorithm == .ecdsa(.sha384))
        // BIT STRING, no unused bits, SEQUENCE { INTEGER 0, INTEGER 0 }.
        #expect(zeros[0].der.suffix(11) == [0x03, 0x09, 0x00, 0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00])
    }

    @Test(
        "names that only a careless comparison takes for the host's",
        arguments: [
            ("nul-in-san", "a.b.test", "a.b.test\0.other-host.pinproof.invalid"),
            ("top-level-wildcard", "a.b.test", "*.test"), ("top-level-wildcard", "b.test", "*"),
            ("top-level-wildcard", "localhost", "*"), ("top-level-wildcard", "10.0.0.1", "*.0.0.1"),
            ("top-level-wildcard", "::1", "*"), ("parent-domain", "a.b.test", "b.test"),
            ("parent-domain", "b.test", "test"), ("parent-domain", "localhost", "ocalhost"),
            ("parent-domain", "10.0.0.1", "0.0.1"), ("parent-domain", "::1", "1"),
            ("parent-domain", "x", "other-host.pinproof.invalid"),
        ])
    func names(variant: String, name: String, expected: String) throws {
        let leaf = try chain(.wrongUsage, variant, with: Self.general.get(), for: host(name)).certificates[0]
        #expect(leaf.dnsNames == [expected] && leaf.commonName == nil)
    }

    @Test("a name-constrained CA signs no name outside its scope, whatever the attack")
    func constrainedScope() throws {
        let material = try Self.constrained.get()
        #expect(throws: ForgeError.outsideScope("*.com", scope: ["example.com"])) {
            try chain(.wrongUsage, "top-level-wildcard", with: material)
        }
        #expect(throws: ForgeError.outsideScope("com", scope: ["example.com"])) {
            try chain(.wrongUsage, "parent-domain", with: material, for: host("example.com"))
        }
        #expect(try chain(.wrongUsage, "parent-domain", with: material).certificates[0].dnsNames == ["example.com"])
    }

    @Test("weak: a short key, an old digest")
    func weak() throws {
        let material = try Self.general.get()
        #expect(try chain(.weakCrypto, "rsa-1024", with: material).certificates[0].keyType == .rsa(bits: 1024))
        let nids = try ["sha-1", "md5"].map {
            try chain(.weakCrypto, $0, with: material).certificates[0].signatureNumber
        }
        #expect(nids == [416, 8])  // ecdsa-with-SHA1, md5WithRSAEncryption
    }

    @Test("a CA without room below it: what needs none is made, the rest is refused, and a path is soon too long")
    func noRoom() throws {
        let narrow = try ForgeMaterial(narrowAuthority())
        for one in ChainCase.all {
            let needsRoom = one.below > 0 && !["path-length", "client-auth"].contains(one.variant)
            if needsRoom {
                #expect(throws: ForgeError.noRoom) { try chain(one.attack, one.variant, with: narrow) }
            } else {
                let chain = try chain(one.attack, one.variant, with: narrow)
                let trial = try HandshakeTrial(
                    chain, to: target, trusting: [narrow.trusted.root, origin.root], version: .tls13, now: testNow)
                #expect(trial.verification == one.code, "\(one.testDescription): \(trial.verdict)")
            }
        }
        let wider = try ForgeMaterial(narrowAuthority(pathLength: 1))
        for one in ChainCase.all {
            let trial = try HandshakeTrial(
                chain(one.attack, one.variant, with: wider), to: target, trusting: [wider.trusted.root, origin.root],
                version: .tls13, now: testNow)
            #expect(trial.verification == one.code, "\(one.testDescription): \(trial.verdict)")
        }
    }

    @Test("the RSA leaf of trusted-ca is there for clients that can verify it, and nowhere else")
    func rsaLeaf() throws {
        let material = try Self.general.get()
        #expect(
            try chain(.trustedCA, "rsa-leaf", with: material, rsa: true).certificates[0].keyType == .rsa(bits: 2048))
        #expect(try chain(.trustedCA, "rsa-leaf", with: material).certificates[0].keyType == .p256)
    }

    @Test("recipes whose issuers have other defects than they name are refused")
    func lintGuards() throws {
        let material = try Self.general.get()
        let lies = [
            Recipe(subordinates: .endEntity),
            Recipe(subordinates: .unconstrainedEndEntity, defects: [.issuerIsEndEntity]),
            Recipe(subordinates: .elsewhereOnly), Recipe(subordinates: .tooMany), Recipe(signature: .corrupted),
            Recipe(signature: .sha1), Recipe(purpose: .client), Recipe(name: .beforeNUL, defects: [.wrongName]),
            Recipe(subordinates: .rsa, defects: [.pathTooLong]), Recipe(key: .rsa1024),
            Recipe(signer: .untrustedCA, subordinates: .rsa), Recipe(name: .commonNameOnly),
        ]
        for recipe in lies {
            let error = #expect(throws: ForgeError.self) {
                try Forge(material).chain(
                    for: target, attack: .trustedCA, variant: .init(name: "lie", recipe: recipe), rsaLeaf: false,
                    genuine: nil, now: testNow)
            }
            guard case .lint = error else {
                Issue.record("\(recipe): \(error.map { "\($0)" } ?? "nothing")")
                continue
            }
        }
    }
}

/// Leafs of hosts that are not attacked, which name those that are as well (`trusted-ca/coalesced`).
@Suite("a shared leaf")
struct SharedLeafTests {
    private static let patterns = ["api.example.com", "**.deep.example.com", "10.0.0.1", "elsewhere.test"].compactMap {
        HostPattern($0)
    }

    private func names(_ material: ForgeMaterial) throws -> [String] {
        let variant = Attack.Variant(name: "coalesced", recipe: Recipe(name: .targetBeside(Self.patterns)))
        let cdn = try host("cdn.example.com")
        let chain = try Forge(material).chain(
            for: cdn, attack: .trustedCA, variant: variant, rsaLeaf: false, genuine: nil, now: testNow)
        let leaf = try #require(chain.certificates.first)
        let trial = try HandshakeTrial(chain, to: cdn, trusting: [material.trusted.root], version: .tls13, now: testNow)
        #expect(trial.verification == 0 && trial.completed)
        return try #require(leaf.alternativeNames).map { name in
            IPAddress(bytes: name.bytes)?.description ?? String(decoding: name.bytes, as: UTF8.self)
        }
    }

    @Test("it names its host first, and then every attacked one; a star stands for one label")
    func named() throws {
        let material = try ForgeMaterial(CertificateAuthority.general(now: testNow))
        #expect(
            try names(material)
                == ["cdn.example.com", "api.example.com", "*.deep.example.com", "10.0.0.1", "elsewhere.test"])
    }

    @Test("what the CA may not sign for is left out, or the host's own connections would be refused for it")
    func permitted() throws {
        let material = try ForgeMaterial(
            .constrained(to: profile(refuse: ["api.example.com", "cdn.example.com", "10.0.0.1"]), now: testNow))
        #expect(try names(material) == ["cdn.example.com", "api.example.com", "10.0.0.1"])
    }
}
