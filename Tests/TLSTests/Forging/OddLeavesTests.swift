import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

@Suite("leaves that are sound, and odd to who reads more of them than the name and the key")
struct OddLeavesTests {
    let target: HostName
    let origin: PublicOrigin
    let general: ForgeMaterial
    let constrained: ForgeMaterial

    init() throws {
        target = try host("api.example.com")
        origin = try PublicOrigin()
        general = try ForgeMaterial(.general(now: testNow))
        constrained = try ForgeMaterial(.constrained(to: profile(refuse: ["api.example.com"]), now: testNow))
    }

    private func chain(
        _ attack: Attack, _ form: String, with material: ForgeMaterial, for host: HostName? = nil,
        named name: Recipe.Name? = nil
    ) throws -> [Certificate] {
        var variant = try #require(attack.variants.first { $0.name == form })
        if let name {
            variant = Attack.Variant(name: form, recipe: Recipe(name: name, defects: variant.recipe.defects))
        }
        return try Forge(material).chain(
            for: host ?? target, attack: attack, variant: variant, rsaLeaf: false, genuine: origin.chain, now: testNow
        ).certificates
    }

    @Test(
        "a client without a pin takes them: a name in capitals, no extension but the name, lists with genuine issuers",
        arguments: ["trusted-ca/capitals", "trusted-ca/bare", "trusted-ca/home-made", "smuggled-chain/identifiers"],
        [TLSVersion.tls12, .tls13])
    func taken(name: String, version: TLSVersion) throws {
        let parts = name.split(separator: "/").map(String.init)
        let attack = try #require(AttackCatalogue.attack(AttackID(parts[0])))
        let variant = try #require(attack.variants.first { $0.name == parts[1] })
        for material in [general, constrained] {
            let chain = try Forge(material).chain(
                for: target, attack: attack, variant: variant, rsaLeaf: false, genuine: origin.chain, now: testNow)
            let trial = try HandshakeTrial(
                chain, to: target, trusting: [material.trusted.root], version: version, now: testNow)
            #expect(trial.completed, "\(trial.verification) \(trial.verdict)")
        }
    }

    @Test(
        "identifiers-first: the genuine issuer stands before the one that signed, and their names and identifiers are one"
    )
    func identifiersFirst() throws {
        let list = try chain(.smuggledChain, "identifiers-first", with: general)
        let signer = try #require(list.dropFirst().firstIndex { $0.signed(list[0]) })
        #expect(list[1] == origin.intermediate && signer > 1)
        #expect(list[1].subjectDER == list[signer].subjectDER)
        #expect(list[1].subjectKeyIdentifier == list[0].authorityKeyIdentifier)
        #expect(list[signer].subjectKeyIdentifier == list[0].authorityKeyIdentifier)
        // Clients that try all paths, as Go's and browsers' do, find ours.
        #expect(
            general.trusted.issuing.signed(list[list.count - 1]) || list.contains { general.trusted.root.signed($0) })
    }

    @Test("capitals: of the name and of nothing else; an address has none")
    func capitals() throws {
        let leaf = try chain(.trustedCA, "capitals", with: general)[0]
        #expect(leaf.dnsNames == ["API.EXAMPLE.COM"] && leaf.commonName == nil)
        let numbers = try chain(.trustedCA, "capitals", with: general, for: host("10.0.0.1"))[0]
        #expect(numbers.alternativeNames?.map(\.bytes) == [[10, 0, 0, 1]])
    }

    @Test("home-made: the machine's own names besides, no organization, and the root in the list")
    func homeMade() throws {
        let list = try chain(.trustedCA, "home-made", with: general)
        #expect(list.count == 2 && list[1] == general.trusted.root && list[1].isSelfIssued)
        let names = list[0].alternativeNames?.map(\.bytes)
        #expect(names == [Array("api.example.com".utf8), Array("localhost".utf8), [127, 0, 0, 1]])
        #expect(list[0].subjectDER == DistinguishedName(commonName: "api.example.com").der)
        // A CA that may not sign for them does without, and says so.
        let scoped = try chain(.trustedCA, "home-made", with: constrained)
        #expect(scoped[0].alternativeNames?.count == 1 && scoped.last == constrained.trusted.root)
        #expect(scoped[0].subjectDER == list[0].subjectDER)
        let recipe = try #require(Attack.trustedCA.variants.first { $0.name == "home-made" }?.recipe)
        #expect(constrained.trusted.shortfall(of: recipe)?.contains("localhost") == true)
        #expect(general.trusted.shortfall(of: recipe) == nil)
        // A subject is never empty.
        for name in ["10.0.0.1", String(repeating: "a", count: 60) + ".example.com"] {
            let other = try chain(.trustedCA, "home-made", with: general, for: host(name))
            #expect(other[0].subjectDER == DistinguishedName(organization: "pinproof").der)
        }
    }

    @Test("bare: the name is all that the leaf says")
    func bare() throws {
        let leaf = try chain(.trustedCA, "bare", with: general)[0]
        #expect(try leaf.extensions().map(\.oid) == [OID.subjectAltName] && leaf.dnsNames == ["api.example.com"])
    }

    @Test("identifiers: the leaf's issuer comes twice by its name and its key identifier, and the genuine one last")
    func identifiers() throws {
        let shown = try chain(.smuggledChain, "identifiers", with: general)
        let wanted = try #require(shown[0].authorityKeyIdentifier)
        let found = shown.dropFirst().filter {
            $0.subjectKeyIdentifier == wanted && $0.subjectDER == shown[0].issuerDER
        }
        #expect(found.count == 2 && found.first?.signed(shown[0]) == true && found.last == origin.intermediate)
        #expect(found.last?.signed(shown[0]) == false)
    }

    @Test("not yet valid: with the pinned certificates in the list, and nothing else wrong")
    func notYetValid() throws {
        let shown = try chain(.smuggledChain, "not-yet-valid", with: general)
        #expect(Double(shown[0].notBefore) > testNow && shown.suffix(2) == [origin.leaf, origin.intermediate])
    }

    @Test("of the app: for a host that the profile names, where the CA may sign for it; else for the decoy")
    func ofTheApp() throws {
        let known = try host("cdn.example.com")
        func leaf(_ material: ForgeMaterial) throws -> Certificate {
            try chain(.otherHost, "of-the-app", with: material, named: .known(known))[0]
        }
        #expect(try leaf(general).dnsNames == ["cdn.example.com"] && leaf(general).commonName == "cdn.example.com")
        #expect(try leaf(constrained).dnsNames == [Recipe.decoyName])
    }

    @Test("affixed: the host stands at the end of one name and at the beginning of the other")
    func affixed() throws {
        let names = try chain(.wrongUsage, "affixed-name", with: general)[0].dnsNames
        #expect(names == ["x-api.example.com", "api.example.com.other-host.pinproof.invalid"])
        // The first lies beside what such a CA may sign for.
        #expect(throws: ForgeError.outsideScope("x-api.example.com", scope: ["api.example.com"])) {
            try chain(.wrongUsage, "affixed-name", with: constrained)
        }
    }
}
