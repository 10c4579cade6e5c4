import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// Chains that are to be as the genuine one in everything that a client could dislike.
@Suite("likeness to the genuine chain")
struct LikenessTests {
    let target: HostName
    static let general = Result { try ForgeMaterial(.general(now: testNow)) }
    init() throws { target = try host("api.example.com") }

    private func chain(
        _ genuine: GenuineChain, _ attack: Attack = .trustedCA, _ form: String? = nil,
        with material: ForgeMaterial? = nil, rsa: Bool = false, takes: LeafKeyTypes = .all,
        for name: String = "api.example.com"
    ) throws -> PresentedChain {
        let variant = try #require(attack.variants.first { $0.name == form })
        return try Forge(material ?? Self.general.get()).chain(
            for: host(name), attack: attack, variant: variant, rsaLeaf: rsa, takes: takes, genuine: genuine,
            now: testNow)
    }

    private func isTaken(
        _ chain: PresentedChain, with material: ForgeMaterial? = nil, for name: String = "api.example.com"
    ) throws -> Bool {
        let root = try (material ?? Self.general.get()).trusted.root
        return try HandshakeTrial(chain, to: host(name), trusting: [root], version: .tls13, now: testNow).completed
    }

    static let alike = [
        GenuineShape(title: "P-256, three levels"),
        GenuineShape(
            title: "RSA-4096, three levels", leaf: .rsa(bits: 4096), issuers: [.rsa(bits: 4096), .rsa(bits: 4096)]),
        GenuineShape(title: "P-384, directly under its root", leaf: .p384, issuers: [.p384]),
        GenuineShape(title: "RSA under ECDSA", leaf: .rsa(bits: 2048), issuers: [.p384, .p521, .p384]),
        GenuineShape(title: "Ed25519", leaf: .ed25519, issuers: [.ed25519, .ed25519]),
        GenuineShape(title: "the root is shown", issuers: [.p256, .p256], showsRoot: true),
        GenuineShape(
            title: "30 names", names: (0..<29).map { "n\($0).example.com" } + ["api.example.com"],
            commonName: "n0.example.com"),
        GenuineShape(title: "a wildcard", names: ["example.com", "*.example.com"], commonName: "example.com"),
        GenuineShape(title: "no common name", commonName: nil),
        GenuineShape(title: "six days", days: (1, 5)),
    ]

    @Test("a leaf that says it is a CA differs in nothing else, and OpenSSL takes it", arguments: alike)
    func authorityLeaf(shape: GenuineShape) throws {
        let genuine = try shape.chain()
        let chain = try chain(genuine, .trustedCA, "authority-leaf")
        let (leaf, model) = (chain.certificates[0], genuine.certificates[0])
        #expect(leaf.isAuthority && !model.isAuthority)
        let own = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier, OID.basicConstraints]
        let (mine, theirs) = (try leaf.extensions(), try model.extensions())
        #expect(mine.filter { !own.contains($0.oid) } == theirs.filter { !own.contains($0.oid) })
        #expect(leaf.subjectDER == model.subjectDER && leaf.notAfter == model.notAfter)
        #expect(try isTaken(chain))
    }

    @Test("names, dates, extensions, keys and length are the genuine ones", arguments: alike)
    func isAlike(shape: GenuineShape) throws {
        let genuine = try shape.chain()
        let material = try Self.general.get()
        let chain = try chain(genuine)
        let (leaf, model) = (chain.certificates[0], genuine.certificates[0])
        #expect(chain.certificates.count == genuine.certificates.count)
        for (mine, theirs) in zip(chain.certificates, genuine.certificates).dropLast(shape.showsRoot ? 1 : 0) {
            #expect(mine.keyType == theirs.keyType)
            #expect(mine.notBefore == theirs.notBefore && mine.notAfter == theirs.notAfter)
            let (own, wanted) = (try mine.extensions(), try theirs.extensions())
            #expect(own.map(\.oid) == wanted.map(\.oid))
            let keys = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier]
            #expect(own.filter { !keys.contains($0.oid) } == wanted.filter { !keys.contains($0.oid) })
            #expect(mine.publicKeyDER != theirs.publicKeyDER && mine.serial != theirs.serial)
            #expect(mine.issuerDER != theirs.issuerDER)
        }
        #expect(leaf.subjectDER == model.subjectDER && leaf.dnsNames == shape.names)
        // The topmost is signed by the CA, with the key that it has.
        for (mine, theirs) in zip(chain.certificates, genuine.certificates).dropLast() where !mine.isSelfIssued {
            #expect(mine.signatureNumber == theirs.signatureNumber)
        }
        for (one, issuer) in zip(chain.certificates, chain.certificates.dropFirst()) { #expect(issuer.signed(one)) }
        for one in chain.certificates.dropFirst() where !one.isSelfIssued {
            #expect(one.subject.hasPrefix("CN=pinproof issuer "))
        }
        let ends = try #require(chain.certificates.last)
        #expect(material.trusted.root.signed(ends))
        #expect(try isTaken(chain))
    }

    @Test("the twin under the untrusted CA differs in keys and issuers' names alone", arguments: alike)
    func twins(shape: GenuineShape) throws {
        let genuine = try shape.chain()
        let pair = try [chain(genuine), chain(genuine, .untrustedCA)].map(\.certificates)
        #expect(pair[0].count == pair[1].count)
        for (trusted, twin) in zip(pair[0], pair[1]) {
            #expect(trusted.keyType == twin.keyType && trusted.signatureNumber == twin.signatureNumber)
            #expect(trusted.notBefore == twin.notBefore && trusted.notAfter == twin.notAfter)
            #expect(trusted.issuerDER.count == twin.issuerDER.count && trusted.issuerDER != twin.issuerDER)
            let differing = try zip(trusted.extensions(), twin.extensions()).filter { $0 != $1 }.map(\.0.oid)
            #expect(Set(differing).isSubset(of: [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier]))
        }
        // A client that keeps issuers cannot link the one's leaf to the other's.
        for trusted in pair[0].dropFirst() {
            #expect(pair[1].dropFirst().allSatisfy { $0.subjectDER != trusted.subjectDER })
            #expect(!trusted.signed(pair[1][0]))
        }
        #expect(pair[0][0].subjectDER == pair[1][0].subjectDER && pair[0][0].publicKeyDER == pair[1][0].publicKeyDER)
    }

    @Test("what could not be made alike is told", arguments: [true, false])
    func differences(general: Bool) throws {
        func unlike(
            _ shape: GenuineShape, with material: ForgeMaterial? = nil, rsa: Bool = false,
            takes: LeafKeyTypes = .all, for name: String = "api.example.com"
        ) throws -> [String] { try chain(shape.chain(), with: material, rsa: rsa, takes: takes, for: name).unlike }
        let plain = GenuineShape(title: "plain", issuers: [.p256])
        #expect(try unlike(plain) == ["root-name"])
        #expect(
            try unlike(GenuineShape(title: "", leaf: .p384, issuers: [.p256]), takes: []) == ["key-size", "root-name"])
        #expect(try unlike(plain, rsa: true) == ["extensions", "key-type", "root-name"])
        #expect(
            try unlike(GenuineShape(title: "", leaf: .rsa(bits: 8192), issuers: [.p256])) == ["key-size", "root-name"])
        #expect(try unlike(GenuineShape(title: "", issuers: [.rsa(bits: 2048)])) == ["root-name", "signature"])
        #expect(try unlike(GenuineShape(title: "", issuers: [.p256], days: (300, 60))) == ["root-name", "validity"])
        #expect(try unlike(plain, for: "www.example.com") == ["root-name", "san"])
        let timestamps = CertificateExtension(
            oid: OID.timestamps, critical: false, value: DER.octetString([0, 1, 2, 3]))
        let stapling = CertificateExtension(
            oid: OID.tlsFeature, critical: false, value: DER.sequence(DER.integer(5)))
        let full = GenuineShape(title: "", issuers: [.p256], extensions: [timestamps, stapling])
        #expect(try unlike(full) == ["root-name", "sct"])
        for copied in [timestamps, stapling] {
            #expect(try chain(full.chain()).certificates[0].extensions().contains(copied))
        }
        // No room, or an intermediate more: the chain has another length.
        let narrow = try ForgeMaterial(narrowAuthority())
        let long = try unlike(GenuineShape(title: ""), with: narrow)
        #expect(long == ["chain-length", "root-name"])
        let constrained = try ForgeMaterial(.constrained(to: profile(), now: testNow))
        #expect(try unlike(plain, with: constrained) == ["chain-length", "root-name"])
        let same = try unlike(
            GenuineShape(title: "", names: ["*.example.com", "api.example.com"]), with: constrained)
        #expect(same.contains("san") && !same.contains("chain-length"))
        // A leaf that vouches for itself can have no issuer.
        let alone = GenuineShape(title: "", issuers: [])
        #expect(try unlike(alone) == ["root-name"])
        #expect(try isTaken(chain(alone.chain())))
        // What is plain on purpose says nothing.
        #expect(try chain(full.chain(), .trustedCA, "plain").unlike == [])
    }

    @Test("under a constrained CA names outside its scope are left out, and the host stays")
    func scope() throws {
        let material = try ForgeMaterial(.constrained(to: profile(), now: testNow))
        let genuine = try GenuineShape(title: "", names: ["*.example.com", "api.example.com", "example.com"]).chain()
        let made = try chain(genuine, with: material)
        #expect(made.certificates[0].dnsNames == ["api.example.com"])
        #expect(made.certificates.count == 2 && made.certificates[1] == material.trusted.issuing)
        #expect(try isTaken(made, with: material))
        let wild = try chain(GenuineShape(title: "", names: ["*.example.com"]).chain(), with: material)
        #expect(wild.certificates[0].dnsNames == ["api.example.com"])
        #expect(try isTaken(wild, with: material))
    }

    @Test("a genuine certificate that does not name the host is not all that the forged one names")
    func otherNames() throws {
        let genuine = try GenuineShape(title: "", names: ["example.org"], commonName: "example.org").chain()
        let made = try chain(genuine)
        #expect(made.certificates[0].dnsNames == ["example.org", "api.example.com"])
        #expect(try isTaken(made))
    }

    @Test(
        "where a backup key is lent, the leaf under another key is of its type and size",
        arguments: [
            KeyType.rsa(bits: 3072), .p384,
        ])
    func lent(type: KeyType) throws {
        let key = try PrivateKey.generate(type)
        let lent = LentMaterials([target: .init(backupKey: key, sameCAChain: nil, otherHost: nil)])
        let material = try ForgeMaterial(Self.general.get().trusted, lent: lent)
        let genuine = try GenuineShape(title: "").chain()
        let (other, own) = (try chain(genuine, with: material), try chain(genuine, .lentKey, with: material))
        #expect(own.certificates[0].publicKeyDER == key.publicKeyDER && other.certificates[0].keyType == type)
        #expect(other.certificates[0].publicKeyDER != key.publicKeyDER)
        #expect(own.certificates.dropFirst() == other.certificates.dropFirst() || own.certificates.count == 2)
        #expect(own.certificates[0].subjectDER == other.certificates[0].subjectDER)
        let same = try zip(own.certificates[0].extensions(), other.certificates[0].extensions()).filter { $0 != $1 }
        #expect(same.allSatisfy { $0.0.oid == OID.subjectKeyIdentifier })
        #expect(try isTaken(own, with: material) && isTaken(other, with: material))
    }

    @Test("the genuine key itself may be lent, and makes a leaf like the genuine one")
    func genuineKeyLent() throws {
        let authority = try Self.general.get().trusted
        let origin = try ForgeMaterial(authority)
        let shown = try Forge(origin).chain(
            for: target, attack: .trustedCA, variant: .unattacked, rsaLeaf: false, genuine: nil, now: testNow)
        let genuine = GenuineChain(shown.certificates + [authority.root])
        let lent = LentMaterials([target: .init(backupKey: shown.key, sameCAChain: nil, otherHost: nil)])
        let material = try ForgeMaterial(authority, lent: lent)
        let made = try chain(genuine, .lentKey, with: material)
        #expect(made.certificates[0].publicKeyDER == genuine.certificates[0].publicKeyDER)
        #expect(try isTaken(made, with: material))
    }

    @Test("forms of what cannot be both ways: each is trusted, and short")
    func forms() throws {
        let genuine = try GenuineShape(title: "").chain()
        func leaf(_ form: String, for name: String = "a.b.test") throws -> Certificate {
            let made = try chain(genuine, .trustedCA, form, for: name)
            #expect(made.certificates.count == 1 && made.unlike == [])
            #expect(try isTaken(made, for: name))
            return made.certificates[0]
        }
        #expect(try leaf("plain").dnsNames == ["a.b.test"] && leaf("plain").commonName == "a.b.test")
        #expect(try leaf("no-common-name").commonName == nil && leaf("no-common-name").dnsNames == ["a.b.test"])
        let foreign = try leaf("foreign-common-name")
        #expect(foreign.commonName == Recipe.decoyName && foreign.dnsNames == ["a.b.test"])
        #expect(try leaf("second-name").dnsNames == [Recipe.decoyName, "a.b.test"])
        #expect(try leaf("wildcard").dnsNames == ["*.b.test"])
        for name in ["b.test", "localhost", "10.0.0.1"] {
            #expect(throws: ForgeError.noWildcard(try host(name))) { try leaf("wildcard", for: name) }
        }
        let constrained = try ForgeMaterial(.constrained(to: profile(), now: testNow))
        #expect(throws: ForgeError.outsideScope("*.example.com", scope: ["api.example.com"])) {
            try chain(genuine, .trustedCA, "wildcard", with: constrained)
        }
        #expect(try isTaken(chain(genuine, .trustedCA, "second-name", with: constrained), with: constrained))
    }

    @Test("an issuer that has ended is the highest one, and what is below it goes on")
    func endedIssuer() throws {
        let genuine = try GenuineShape(title: "", issuers: [.p256, .p384, .p256]).chain()
        let made = try chain(genuine, .expired, "issuer").certificates
        #expect(made.map { Double($0.notAfter) > testNow } == [true, true, true, false])
        #expect(
            made[0].notAfter == genuine.certificates[0].notAfter
                && made[0].issuerDER == genuine.certificates[0].issuerDER)
        #expect(made[3].notBefore < made[3].notAfter && made[3].subjectDER == made[2].issuerDER)
    }

    @Test("a clone without a look-alike of the root is as long as the genuine list")
    func withoutRoot() throws {
        let genuine = try GenuineShape(title: "", issuers: [.p256, .p384, .p256]).chain()
        let made = try chain(genuine, .clonedIdentity, "without-root")
        #expect(made.certificates.map(\.subjectDER) == genuine.certificates.map(\.subjectDER))
        #expect(made.certificates[0].serial == genuine.certificates[0].serial)
        #expect(try chain(genuine, .clonedIdentity, "trusted").certificates.count == genuine.certificates.count + 1)
        #expect(try isTaken(made))
    }

    @Test(
        "defects come with the genuine names, and are the only ones",
        arguments: [
            (Attack.expired, nil as String?, 10), (.expired, "issuer", 10), (.notYetValid, nil, 9),
            (.selfSigned, nil, 18), (.otherHost, nil, 62),
            (.wrongUsage, "client-auth", 26), (.wrongUsage, "name-constraints", 47), (.wrongUsage, "path-length", 25),
        ], alike)
    func defects(one: (Attack, String?, Int), shape: GenuineShape) throws {
        let genuine = try shape.chain()
        let made = try chain(genuine, one.0, one.1)
        let (leaf, model) = (made.certificates[0], genuine.certificates[0])
        #expect(leaf.subjectDER == model.subjectDER && leaf.serial == model.serial && leaf.keyType == model.keyType)
        if one.2 != 62 { #expect(leaf.dnsNames == shape.names) }
        if one.0.id == "expired" { #expect(leaf.issuerDER == model.issuerDER) }
        let root = try Self.general.get().trusted.root
        let strict = try HandshakeTrial(made, to: target, trusting: [root], version: .tls13, now: testNow)
        #expect(!strict.completed && strict.verification == one.2, "\(strict.verdict)")
        let sloppy = try HandshakeTrial(
            made, to: target, trusting: [root], version: .tls13, tolerating: [one.2, 21, 20], now: testNow)
        #expect(sloppy.completed, "\(sloppy.verdict)")
    }
}
