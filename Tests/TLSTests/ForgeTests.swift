import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

@Suite("the forge")
struct ForgeTests {
    static let authority = Result { try CertificateAuthority.general(now: testNow) }
    static let material = Result { try ForgeMaterial(authority.get()) }
    static let constrained = Result {
        try ForgeMaterial(.constrained(to: profile(refuse: ["api.example.com", "10.0.0.1"]), now: testNow))
    }
    static let origin = Result { try Origin() }

    let target: HostName
    let material: ForgeMaterial
    let forge: Forge
    let origin: Origin
    init() throws {
        target = try host("api.example.com")
        material = try Self.material.get()
        forge = Forge(material)
        origin = try Self.origin.get()
    }

    private func chain(
        _ attack: Attack, variant: Int = 0, plain: Bool = false, rsa: Bool = false, for name: HostName? = nil,
        now: Double = testNow, with forge: Forge? = nil
    ) throws -> PresentedChain {
        try (forge ?? self.forge).chain(
            for: name ?? target, attack: attack, variant: plain ? attack.plain : attack.variants[variant], rsaLeaf: rsa,
            genuine: GenuineChain([origin.leaf, origin.root]), now: now)
    }

    /// A client that trusts the forging CA and the origin's.
    private func trial(
        _ chain: PresentedChain, for name: HostName? = nil, trusting material: ForgeMaterial? = nil,
        version: TLSVersion = .tls13
    ) throws -> HandshakeTrial {
        let roots = [(material ?? self.material).trusted.root, origin.root]
        return try HandshakeTrial(chain, to: name ?? target, trusting: roots, version: version, now: testNow)
    }

    /// Those of its forms that have such defects.
    private static func smuggled(_ isMeant: (Set<LeafDefect>) -> Bool) -> Attack {
        .smuggledChain.with(Attack.smuggledChain.variants.filter { isMeant($0.recipe.defects) })
    }

    @Test(
        "each attack is refused for its own reason by a client that checks, and only trusted chains pass",
        arguments: [
            (Attack.trustedCA, [0]), (.untrustedCA, [20, 19, 21]), (.selfSigned, [18]), (.expired, [10]),
            (.notYetValid, [9]), (.otherHost.with([Attack.otherHost.variants[0]]), [62]),
            (smuggled { $0.isEmpty }, [0]),
            (smuggled { $0 == [.untrustedIssuer] }, [20]), (smuggled { $0 == [.selfSigned] }, [18]),
            (smuggled { $0 == [.expired] }, [10]), (smuggled { $0 == [.wrongName] }, [62]), (.wrongKey, [0]),
        ], [false, true])
    func attacks(attack: (Attack, codes: [Int]), rsa: Bool) throws {
        for material in [try Self.material.get(), try Self.constrained.get()] {
            for variant in attack.0.variants.indices {
                // It names hosts beside the one that this CA may sign for.
                if attack.0.variants[variant].recipe.name == .wildcard, material.trusted.isConstrained { continue }
                for version in [TLSVersion.tls12, .tls13] {
                    let chain = try chain(attack.0, variant: variant, rsa: rsa, with: Forge(material))
                    let trial = try trial(chain, trusting: material, version: version)
                    #expect(attack.codes.contains(trial.verification), "\(attack.0.id): \(trial.verdict)")
                    #expect(trial.completed == (attack.codes == [0] && attack.0.id != "wrong-key"))
                }
            }
        }
    }

    @Test("the openssl tool verifies the trusted chain for its host under the root, and no other")
    func tool() async throws {
        let scratch = try TemporaryFolder()
        let material = try Self.constrained.get()
        let chain = try chain(.trustedCA, with: Forge(material))
        let root = try scratch.write("root.pem", Array(material.trusted.root.pem.utf8))
        let rest = try scratch.write("rest.pem", Array(chain.certificates[1].pem.utf8))
        let leaf = try scratch.write("leaf.pem", Array(chain.certificates[0].pem.utf8))
        func verify(_ name: String) async throws -> Int32 {
            try await Command.run(
                "openssl",
                [
                    "verify", "-x509_strict", "-attime", "1767225600", "-purpose", "sslserver", "-CAfile", root,
                    "-untrusted", rest, "-verify_hostname", name, leaf,
                ]
            ).status
        }
        #expect(try await verify("api.example.com") == 0)
        #expect(try await verify("www.example.com") != 0)
    }

    @Test("what is presented, in which order")
    func order() throws {
        let constrained = try Self.constrained.get()
        let intermediate = constrained.trusted.issuing
        let root = constrained.trusted.root
        func rest(_ attack: Attack, _ variant: Int = 0, constrained use: Bool) throws -> [Certificate] {
            try Array(chain(attack, variant: variant, with: use ? Forge(constrained) : forge).certificates.dropFirst())
        }
        // This origin shows its root.
        #expect(try rest(.trustedCA, constrained: false) == [material.trusted.root])
        #expect(try rest(.trustedCA, constrained: true) == [intermediate, root])
        #expect(
            try rest(.untrustedCA, constrained: true) == [constrained.untrusted.issuing, constrained.untrusted.root])
        #expect(try rest(.selfSigned, constrained: true) == [])
        #expect(try rest(.smuggledChain, 0, constrained: true) == [intermediate, root, origin.leaf, origin.root])
        #expect(try rest(.smuggledChain, 1, constrained: true) == [origin.root, intermediate])
        #expect(try rest(.smuggledChain, 1, constrained: false) == [origin.root])
        #expect(try rest(.smuggledChain, 2, constrained: true) == [origin.root, origin.leaf, intermediate, root])
        #expect(try rest(.smuggledChain, 3, constrained: true) == [origin.leaf, origin.root, intermediate, root])
        #expect(
            try rest(.smuggledChain, 0, constrained: false) == [material.trusted.root, origin.leaf, origin.root])
        let wrong = try chain(.wrongKey)
        #expect(wrong.certificates == [origin.leaf, origin.root])
        #expect(wrong.sha256s == [origin.leaf.sha256, origin.root.sha256])
        #expect(wrong.key.matches(origin.leaf))
    }

    @Test("leaves obey the platforms' rules", arguments: [false, true])
    func rules(rsa: Bool) throws {
        let leaf = try #require(try chain(.trustedCA, plain: true, rsa: rsa).certificates.first)
        let day: Int64 = 86_400
        #expect(leaf.keyType == (rsa ? .rsa(bits: 2048) : .p256))
        #expect(leaf.notBefore == Int64(testNow) - 2 * day)
        #expect(leaf.notAfter - leaf.notBefore == 90 * day)
        #expect(leaf.subject == "CN=api.example.com,O=pinproof")
        #expect(leaf.alternativeNames?.count == 1)
        #expect(leaf.serial.count == 16 && leaf.hasPositiveSerial)
        #expect(leaf.signatureAlgorithm == .ecdsa(.sha256))
        #expect(leaf.authorityKeyIdentifier == material.trusted.issuing.subjectKeyIdentifier)
    }

    @Test("addresses and names too long for one have no common name, and verify all the same")
    func noCommonName() throws {
        let long = Array(repeating: "abcdefgh", count: 8).joined(separator: ".") + ".test"
        for name in ["10.0.0.1", "2001:db8::1", long, "_sip.a-b.test", "localhost"] {
            let name = try host(name)
            let chain = try chain(.trustedCA, plain: true, for: name)
            #expect(chain.certificates.first?.commonName == (name.isIP || name.text.count > 64 ? nil : name.text))
            let trial = try trial(chain, for: name)
            #expect(trial.completed, "\(name): \(trial.verdict)")
        }
    }

    @Test("the untrusted chain is the trusted one's twin: equal but for issuer, serial and signature")
    func twins() throws {
        let pair = try [chain(.trustedCA), chain(.untrustedCA)].map { try #require($0.certificates.first) }
        #expect(pair[0].publicKeyDER == pair[1].publicKeyDER)
        #expect(pair[0].subjectDER == pair[1].subjectDER)
        #expect(pair[0].notBefore == pair[1].notBefore && pair[0].notAfter == pair[1].notAfter)
        #expect(pair[0].issuerDER.count == pair[1].issuerDER.count && pair[0].issuerDER != pair[1].issuerDER)
        let differing = try zip(pair[0].extensions(), pair[1].extensions()).filter { $0 != $1 }.map(\.0.oid)
        #expect(differing == [OID.authorityKeyIdentifier])
    }

    @Test("a chain is made once, per host, attack, variant, key type and genuine chain, and again near its end")
    func caching() throws {
        let first = try chain(.trustedCA)
        let day = 86_400.0
        #expect(try chain(.trustedCA, now: testNow + 298 * day) === first)
        #expect(try chain(.trustedCA, now: testNow + 299.5 * day) !== first)
        // What is not attacked has another chain under the same name.
        let plain = try chain(.trustedCA, plain: true)
        #expect(plain !== first)
        #expect(try chain(.trustedCA, plain: true, now: testNow + 86 * day) === plain)
        #expect(try chain(.trustedCA, plain: true, now: testNow + 87.5 * day) !== plain)
        #expect(try chain(.trustedCA, rsa: true) !== chain(.trustedCA))
        #expect(try chain(.smuggledChain, variant: 0) !== chain(.smuggledChain, variant: 1))
        #expect(try chain(.trustedCA, for: host("b.test")) !== chain(.trustedCA))
        let expired = try chain(.expired)
        #expect(try chain(.expired, now: testNow + 0.5 * day) === expired)
        #expect(try chain(.expired, now: testNow + 2 * day) !== expired)

        let smuggled = try chain(.smuggledChain)
        let other = try Origin()
        let variant = Attack.smuggledChain.variants[0]
        let renewed = try forge.chain(
            for: target, attack: .smuggledChain, variant: variant, rsaLeaf: false, genuine: GenuineChain([other.leaf]),
            now: testNow)
        #expect(renewed.certificates.contains(other.leaf) && !renewed.certificates.contains(origin.leaf))
        #expect(try chain(.smuggledChain) === smuggled)
        // The genuine chain makes no difference where it is not presented.
        let again = try forge.chain(
            for: target, attack: .untrustedCA, variant: Attack.untrustedCA.plain, rsaLeaf: false,
            genuine: GenuineChain([other.leaf]), now: testNow)
        #expect(try chain(.untrustedCA, plain: true) === again)
    }

    @Test("expired ended 30 days ago and not-yet-valid begins in 30; both live as long as others")
    func offsets() throws {
        let day: Int64 = 86_400
        let expired = try #require(try chain(.expired).certificates.first)
        #expect(expired.notAfter == Int64(testNow) - 30 * day)
        #expect(expired.notAfter - expired.notBefore == 90 * day)
        // On its last day its issuer was there.
        #expect(expired.notBefore >= material.trusted.notBefore)
        let future = try #require(try chain(.notYetValid).certificates.first)
        #expect(future.notBefore == Int64(testNow) + 30 * day)
        #expect(future.notAfter - future.notBefore == 90 * day)
    }

    @Test(
        "under a young CA an expired leaf ended between the CA's beginning and now",
        arguments: [3600, 2 * 86_400, 86_400 * 40])
    func youngCA(age: Int64) throws {
        let begin = Int64(testNow) - age
        let leaf = try LeafSpecification(
            LeafName(.target, for: try host("api.example.com")), .expired, key: LeafKey(PrivateKey.generate(.p256)),
            issuer: nil, begin: begin, end: .max, now: testNow)
        #expect(begin <= leaf.notBefore && leaf.notBefore < leaf.notAfter && leaf.notAfter < Int64(testNow))
    }

    @Test("no leaf outlives its issuer; a CA that ends too soon is an error, not a wrong certificate")
    func lifetime() throws {
        let end = Double(material.trusted.notAfter)
        let late = try chain(.trustedCA, now: end - 3600)
        #expect(late.certificates.first?.notAfter == material.trusted.notAfter)
        #expect(try chain(.trustedCA, now: end - 1800) === late)
        // One that is not valid yet begins before its issuer ends, if that is sooner than else.
        let soon = try #require(try chain(.notYetValid, now: end - 86_400).certificates.first)
        #expect(soon.notBefore == Int64(end) - 43_200 && soon.notAfter == Int64(end))
        #expect(throws: ForgeError.issuerEndsTooSoon(unixSeconds: Int64(end))) {
            try chain(.notYetValid, now: end - 7200)
        }
        #expect(throws: ForgeError.issuerEndsTooSoon(unixSeconds: Int64(end))) { try chain(.trustedCA, now: end) }
    }

    @Test("outside its scope a constrained CA forges nothing: the refusal would prove nothing")
    func outsideScope() throws {
        let forge = Forge(try Self.constrained.get())
        let other = try host("www.example.com")
        for attack in [Attack.trustedCA, .untrustedCA, .expired] {
            #expect(throws: ForgeError.outsideScope(other.text, scope: ["api.example.com", "10.0.0.1"])) {
                try chain(attack, for: other, with: forge)
            }
        }
        #expect(throws: ForgeError.self) { try chain(.trustedCA, for: host("10.0.0.2"), with: forge) }
        // The decoy is inside, whatever the target.
        #expect(try chain(.otherHost, plain: true, with: forge).certificates.count == 2)
        #expect(try chain(.otherHost, with: forge).certificates.count == 3)
        #expect(try chain(.selfSigned, for: other, with: forge).certificates.count == 1)
    }

    @Test("attacks with the genuine chain need one, and a key that can be imitated")
    func genuine() throws {
        for attack in [Attack.wrongKey, .smuggledChain] {
            #expect(throws: ForgeError.noGenuineChain(target)) {
                try forge.chain(
                    for: target, attack: attack, variant: attack.variants[0], rsaLeaf: false, genuine: nil, now: testNow
                )
            }
        }
        let modern = try Origin(key: .other("X25519"))
        let error = #expect(throws: ForgeError.self) {
            try forge.chain(
                for: target, attack: .wrongKey, variant: Attack.wrongKey.variants[0], rsaLeaf: false,
                genuine: GenuineChain([modern.leaf]), now: testNow)
        }
        #expect(error?.description == "a key of type X25519 cannot be imitated")
    }

    @Test("a recipe whose leaf has other defects than it names is refused")
    func lintGuards() throws {
        let lies = [
            Recipe(defects: [.expired]), Recipe(validity: .expired), Recipe(signer: .untrustedCA),
            Recipe(name: .decoy, defects: [.wrongName, .expired]), Recipe(signer: .leafItself, order: [.leaf]),
        ]
        for recipe in lies {
            let error = #expect(throws: ForgeError.self) {
                try forge.chain(
                    for: target, attack: .trustedCA, variant: .init(name: "lie", recipe: recipe), rsaLeaf: false,
                    genuine: nil, now: testNow)
            }
            guard case .lint = error else {
                Issue.record("\(recipe): \(error.map { "\($0)" } ?? "nothing")")
                continue
            }
        }
    }

    @Test("threads share one RSA key")
    func sharedRSA() async throws {
        let material = try ForgeMaterial(Self.authority.get())
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 { group.addTask { try material.leafKey(.rsa(bits: 2048)).key.publicKeyDER } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test(
        "a chain is made anew when the clock has been set back by days, and not for hours",
        arguments: [Attack.trustedCA, .expired])
    func clockJumps(attack: Attack) throws {
        let day = 86_400.0
        let first = try chain(attack)
        for calm in [0, -day / 2, day / 2] { #expect(try chain(attack, now: testNow + calm) === first, "\(calm)") }
        for jump in [-3 * day, -100 * day] {
            let made = try chain(attack, now: testNow + jump)
            #expect(made !== first, "\(jump)")
            guard attack.id == .trustedCA, let leaf = made.certificates.first else { continue }
            #expect(Double(leaf.notBefore) < testNow + jump && Double(leaf.notAfter) > testNow + jump, "\(jump)")
        }
    }
}
