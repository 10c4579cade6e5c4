import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

@Suite("cloned identities")
struct ClonedIdentityTests {
    let target: HostName
    let origin: PublicOrigin
    let material: ForgeMaterial
    init() throws {
        target = try host("api.example.com")
        origin = try PublicOrigin()
        material = try ForgeMaterial(.general(now: testNow))
    }

    private func chain(
        _ variant: Int = 0, of genuine: GenuineChain? = nil, with material: ForgeMaterial? = nil, rsa: Bool = false,
        for name: HostName? = nil
    ) throws -> PresentedChain {
        try Forge(material ?? self.material).chain(
            for: name ?? target, attack: .clonedIdentity, variant: Attack.clonedIdentity.variants[variant],
            rsaLeaf: rsa, genuine: genuine ?? origin.chain, now: testNow)
    }

    private func trial(
        _ chain: PresentedChain, trusting roots: [Certificate], tolerating: Set<Int> = []
    ) throws -> HandshakeTrial {
        try HandshakeTrial(
            chain, to: target, trusting: roots, version: .tls13, tolerating: tolerating, now: testNow)
    }

    @Test("everything that can be read is the genuine certificate's, but for the key", arguments: [0, 1])
    func identity(variant: Int) throws {
        let chain = try chain(variant)
        let clone = chain.certificates[0]
        #expect(clone.subjectDER == origin.leaf.subjectDER && clone.issuerDER == origin.leaf.issuerDER)
        #expect(clone.subject == origin.leaf.subject && clone.issuer == origin.leaf.issuer)
        #expect(clone.serial == origin.leaf.serial)
        #expect(clone.notBefore == origin.leaf.notBefore && clone.notAfter == origin.leaf.notAfter)
        #expect(clone.dnsNames == PublicOrigin.names)
        #expect(clone.subjectKeyIdentifier == origin.leaf.subjectKeyIdentifier)
        #expect(clone.authorityKeyIdentifier == origin.leaf.authorityKeyIdentifier)
        #expect(clone.keyType == origin.leaf.keyType && clone.signatureAlgorithm == .ecdsa(.sha384))
        #expect(clone.publicKeyDER != origin.leaf.publicKeyDER && chain.key.matches(clone))
        // Its issuers: the genuine ones' names, serials, dates and extensions, keys of ours, signed by the forging CA.
        let (issuer, top) = (chain.certificates[1], chain.certificates[2])
        let signer = variant == 0 ? material.trusted : material.untrusted
        #expect(chain.certificates.count == 3)
        for (forged, genuine) in [(issuer, origin.intermediate), (top, origin.root)] {
            #expect(forged.subjectDER == genuine.subjectDER && forged.serial == genuine.serial)
            #expect(forged.notBefore == genuine.notBefore && forged.notAfter == genuine.notAfter)
            #expect(forged.pathLength == genuine.pathLength && forged.publicKeyDER != genuine.publicKeyDER)
        }
        #expect(issuer.keyType == .p384 && issuer.issuerDER == origin.intermediate.issuerDER)
        #expect(issuer.subjectKeyIdentifier == origin.intermediate.subjectKeyIdentifier)
        #expect(issuer.signed(clone) && top.signed(issuer) && signer.issuing.signed(top))
        #expect(!origin.intermediate.signed(clone) && !origin.root.signed(issuer))
        // By the identifier no client takes the root that it holds for the issuer.
        #expect(top.subjectKeyIdentifier != origin.root.subjectKeyIdentifier)
        #expect(issuer.authorityKeyIdentifier == top.subjectKeyIdentifier)
    }

    @Test("a clone is as long as the genuine certificate, whose signature has a byte or two less now and then")
    func length() throws {
        for _ in 0..<8 {
            let origin = try PublicOrigin()
            let clone = try chain(of: origin.chain).certificates[0]
            #expect(clone.der.count == origin.leaf.der.count)
            // Lengths, serial and signature algorithm stand at its beginning: an app that compares that alone takes it.
            #expect(clone.der.prefix(24) == origin.leaf.der.prefix(24))
        }
    }

    @Test("a renewed one has the genuine names, a number of its own, and dates that have just begun")
    func renewed() throws {
        let chain = try chain(3)
        let (clone, genuine) = (chain.certificates[0], origin.leaf)
        #expect(clone.subjectDER == genuine.subjectDER && clone.issuerDER == genuine.issuerDER)
        #expect(clone.dnsNames == PublicOrigin.names && clone.serial != genuine.serial && clone.hasPositiveSerial)
        #expect(clone.notBefore > genuine.notBefore && Double(clone.notBefore) <= testNow)
        #expect(Double(clone.notAfter) > testNow && clone.publicKeyDER != genuine.publicKeyDER)
        #expect(chain.certificates[1].subjectDER == origin.intermediate.subjectDER)
        #expect(try trial(chain, trusting: [material.trusted.root]).completed)
    }

    private func chain(_ form: String) throws -> PresentedChain {
        try chain(#require(Attack.clonedIdentity.variants.firstIndex { $0.name == form }))
    }

    @Test("a client that holds the genuine issuers tells the namesakes from them, and comes to the end of the chain")
    func namesakes() throws {
        let chain = try chain("namesakes")
        let (clone, issuer) = (chain.certificates[0], chain.certificates[1])
        #expect(chain.certificates.count == origin.chain.certificates.count)
        #expect(clone.subjectDER == origin.leaf.subjectDER && clone.serial == origin.leaf.serial)
        #expect(issuer.subjectDER == origin.intermediate.subjectDER && issuer.serial == origin.intermediate.serial)
        #expect(issuer.subjectKeyIdentifier != origin.intermediate.subjectKeyIdentifier)
        #expect(clone.authorityKeyIdentifier == issuer.subjectKeyIdentifier && issuer.signed(clone))
        let held = [origin.intermediate, origin.root, material.trusted.root]
        #expect(try trial(chain, trusting: held).completed)
        #expect(try !trial(self.chain("without-root"), trusting: held).completed)
    }

    @Test("key identifiers are the genuine ones up to the root, where they are the point")
    func identifiers() throws {
        let chain = try chain("identifiers")
        for (forged, genuine) in zip(chain.certificates, [origin.leaf, origin.intermediate, origin.root]) {
            #expect(forged.subjectDER == genuine.subjectDER && forged.publicKeyDER != genuine.publicKeyDER)
            #expect(forged.subjectKeyIdentifier == genuine.subjectKeyIdentifier)
        }
        #expect(chain.certificates.count == 3)
        #expect(chain.certificates[1].authorityKeyIdentifier == origin.intermediate.authorityKeyIdentifier)
        #expect(try trial(chain, trusting: [material.trusted.root]).completed)
    }

    @Test("every extension is taken over, the demand for a staple among them", arguments: [0, 1])
    func extensions(variant: Int) throws {
        func made(_ oid: [UInt8], _ value: [UInt8]) -> CertificateExtension {
            CertificateExtension(oid: oid, critical: false, value: value)
        }
        let policies = made(DER.oid(2, 5, 29, 32), DER.sequence(DER.sequence(DER.oid(2, 23, 140, 1, 1))))
        let timestamps = made(DER.oid(1, 3, 6, 1, 4, 1, 11129, 2, 4, 2), DER.octetString([0, 1, 2, 3]))
        let stapling = made(OID.tlsFeature, DER.sequence(DER.integer(5)))
        let origin = try PublicOrigin(extensions: [policies, stapling, timestamps])
        let chain = try chain(variant, of: origin.chain)
        let clone = try chain.certificates[0].extensions()
        #expect(clone.contains(policies) && clone.contains(timestamps) && clone.contains(stapling))
        #expect(try clone.map(\.oid) == origin.leaf.extensions().map(\.oid))
        // Also what it may be used for; with a key of another kind, what that may be used for.
        let usage = try #require(origin.leaf.extensions().first { $0.oid == OID.keyUsage })
        #expect(clone.contains(usage))
        let other = try self.chain(variant, of: origin.chain, rsa: true).certificates[0].extensions()
        #expect(!other.contains(usage) && other.contains(.keyUsage(.digitalSignature, .keyEncipherment)))
        #expect(try trial(chain, trusting: [variant == 0 ? material.trusted.root : material.untrusted.root]).completed)
    }

    /// A server's own certificate that is a CA, with an extension more.
    private func selfSignedAuthority(_ more: CertificateExtension) throws -> Certificate {
        let key = try PrivateKey.generate(.p256)
        let name = DistinguishedName(organization: "Example Ltd", commonName: "api.example.com").der
        return try CertificateBuilder(
            serial: [0x11, 0x22], signature: .ecdsa(.sha256), issuer: name, subject: name,
            notBefore: Int64(testNow) - 1000, notAfter: Int64(testNow) + 86_400, publicKey: key.publicKeyDER,
            extensions: [
                .subjectKeyIdentifier([1, 2, 3]), .authority(pathLength: 0), more, .subjectAltName(target),
            ]
        ).signed(by: key)
    }

    @Test("an origin whose own certificate is a CA, signed by itself, is cloned as a server's", arguments: [0, 1])
    func ownCertificateIsCA(variant: Int) throws {
        // As `openssl req -x509 -addext subjectAltName=...` makes it: no usage, no purpose, a CA.
        let leaf = try selfSignedAuthority(.authorityKeyIdentifier([1, 2, 3]))
        let name = leaf.subjectDER
        let chain = try chain(variant, of: GenuineChain([leaf], verifiedAs: [leaf]))
        let clone = chain.certificates[0]
        #expect(clone.subjectDER == name && clone.issuerDER == name && !clone.isAuthority)
        #expect(try clone.extensions().map(\.oid) == leaf.extensions().map(\.oid))
        let root = variant == 0 ? material.trusted.root : material.untrusted.root
        #expect(try trial(chain, trusting: [root]).completed)
        #expect(try trial(chain, trusting: [leaf, root]).completed)
    }

    @Test("what is no CA may sign no certificates, though the genuine one may")
    func usageOfCA() throws {
        let leaf = try selfSignedAuthority(.keyUsage(.digitalSignature, .keyCertSign, .crlSign))
        let genuine = GenuineChain([leaf], verifiedAs: [leaf])
        for (attack, index) in [(Attack.trustedCA, 0), (.untrustedCA, 0), (.clonedIdentity, 0)] {
            let made = try Forge(material).chain(
                for: target, attack: attack, variant: attack.variants[index], rsaLeaf: false, genuine: genuine,
                now: testNow)
            let usages = try made.certificates[0].extensions().filter { $0.oid == OID.keyUsage }
            #expect(usages == [.keyUsage(.digitalSignature)])
        }
    }

    @Test("a root with the serial number 0 is imitated under another one")
    func serialZero() throws {
        let direct = try Origin()
        let key = try PrivateKey.generate(.p256)
        let name = direct.root.subjectDER
        let identifier = try #require(direct.root.subjectKeyIdentifier)
        let root = try CertificateBuilder(
            serial: [0], signature: .ecdsa(.sha256), issuer: name, subject: name,
            notBefore: direct.root.notBefore, notAfter: direct.root.notAfter, publicKey: key.publicKeyDER,
            extensions: [
                .authority(pathLength: 3), .keyUsage(.keyCertSign, .crlSign), .subjectKeyIdentifier(identifier),
            ]
        ).signed(by: key)
        let leaf = try CertificateBuilder(
            serial: [0x33], signature: .ecdsa(.sha256), issuer: name, subject: direct.leaf.subjectDER,
            notBefore: direct.leaf.notBefore, notAfter: direct.leaf.notAfter,
            publicKey: direct.leaf.publicKeyDER, extensions: direct.leaf.extensions()
        ).signed(by: key)
        let chain = try chain(of: GenuineChain([leaf], verifiedAs: [leaf, root]))
        #expect(!root.hasPositiveSerial && chain.certificates[1].hasPositiveSerial)
        #expect(chain.certificates[1].subjectDER == name)
        #expect(try trial(chain, trusting: [root, material.trusted.root]).completed)
    }

    @Test("as many of the issuers are imitated as there is room for, from the leaf's on")
    func room() throws {
        let narrow = try ForgeMaterial(narrowAuthority(pathLength: 1))
        let chain = try chain(with: narrow)
        #expect(chain.certificates.count == 2)
        #expect(chain.certificates[1].subjectDER == origin.intermediate.subjectDER)
        #expect(chain.certificates[1].issuerDER == narrow.trusted.issuerDER)
        #expect(try trial(chain, trusting: [narrow.trusted.root, origin.root]).completed)
    }

    @Test("OpenSSL takes the trusted one and refuses the untrusted one, and what overlooks the issuer takes that too")
    func verification() throws {
        let roots = [material.trusted.root, origin.root]
        #expect(try trial(chain(0), trusting: roots).completed)
        let untrusted = try trial(chain(1), trusting: roots)
        #expect(!untrusted.completed && [19, 20, 21].contains(untrusted.verification))
        #expect(try trial(chain(1), trusting: roots, tolerating: [19, 20, 21]).completed)
        #expect(try trial(chain(1), trusting: [material.untrusted.root]).completed)
    }

    @Test(
        "key type, size and signature are the genuine ones'",
        arguments: [
            (KeyType.rsa(bits: 2048), KeyType.rsa(bits: 2048), KeyType.rsa(bits: 2048)),
            (.p384, .p256, .p384), (.p521, .p521, .p521), (.rsa(bits: 3072), .p256, .rsa(bits: 3072)),
            (.ed25519, .p256, .ed25519), (.p256, .ed25519, .p256), (.p256, .rsa(bits: 4096), .p256),
            (.other("ED448"), .p256, .p256),
        ])
    func keys(genuine: KeyType, issuer: KeyType, forged: KeyType) throws {
        let origin = try PublicOrigin(key: genuine, issuer: issuer)
        let chain = try chain(of: origin.chain)
        #expect(chain.certificates[0].keyType == forged)
        #expect(chain.certificates[0].signatureAlgorithm == origin.leaf.signatureAlgorithm)
        #expect(chain.certificates[1].keyType == issuer)
        #expect(try trial(chain, trusting: [material.trusted.root]).completed)
        let isRSA = if case .rsa = forged { true } else { false }
        let other = try self.chain(of: origin.chain, rsa: true).certificates[0]
        #expect(other.keyType == (isRSA ? forged : .rsa(bits: 2048)))
    }

    @Test("under a constrained CA names outside its scope are left out, and the host stays")
    func scope() throws {
        let narrow = try ForgeMaterial(.constrained(to: profile(), now: testNow))
        let clone = try chain(with: narrow)
        #expect(clone.certificates[0].dnsNames == ["api.example.com"])
        #expect(clone.certificates.count == 4)
        #expect(try trial(clone, trusting: [narrow.trusted.root]).completed)
        let wide = try ForgeMaterial(
            .constrained(to: profile(refuse: ["api.example.com", "example.com"]), now: testNow))
        #expect(try chain(with: wide).certificates[0].dnsNames == ["*.example.com", "example.com"])
        #expect(throws: ForgeError.self) { try chain(with: wide, for: host("www.example.org")) }
    }

    @Test("a host that the genuine names lack is added to them")
    func addedHost() throws {
        let other = try host("www.example.org")
        let clone = try chain(for: other).certificates[0]
        #expect(clone.dnsNames == PublicOrigin.names + ["www.example.org"])
        let address = try chain(for: host("10.0.0.1")).certificates[0]
        #expect(address.alternativeNames?.last?.bytes == [10, 0, 0, 1])
    }

    @Test("under an issuer that clients hold as an anchor only its name is the same: they would stop at the signature")
    func anchorAsIssuer() throws {
        let direct = try Origin()
        let chain = try chain(of: GenuineChain([direct.leaf], verifiedAs: [direct.leaf, direct.root]))
        let clone = chain.certificates[0]
        #expect(clone.issuerDER == direct.root.subjectDER)
        #expect(clone.authorityKeyIdentifier != direct.leaf.authorityKeyIdentifier)
        #expect(try trial(chain, trusting: [direct.root, material.trusted.root]).completed)
        #expect(try trial(chain, trusting: [material.trusted.root, direct.root]).completed)
    }

    @Test("an older CA without room below it signs the clone itself: all but the issuer is the genuine one's")
    func noRoom() throws {
        let narrow = try ForgeMaterial(narrowAuthority())
        let chain = try chain(with: narrow)
        let clone = chain.certificates[0]
        #expect(chain.certificates.count == 1 && clone.issuerDER == narrow.trusted.issuerDER)
        #expect(clone.subjectDER == origin.leaf.subjectDER && clone.serial == origin.leaf.serial)
        #expect(clone.subjectKeyIdentifier == origin.leaf.subjectKeyIdentifier)
        #expect(try trial(chain, trusting: [narrow.trusted.root]).completed)
        let recipe = Attack.clonedIdentity.variants[0].recipe
        #expect(narrow.trusted.shortfall(of: recipe)?.hasPrefix("the genuine issuer's name is missing") ?? false)
        #expect(material.trusted.shortfall(of: recipe) == nil)
    }

    @Test("a genuine certificate outside its dates lends all but those")
    func dates() throws {
        let later = testNow + 86_400 * 299
        let chain = try Forge(material).chain(
            for: target, attack: .clonedIdentity, variant: Attack.clonedIdentity.variants[0], rsaLeaf: false,
            genuine: origin.chain, now: later)
        #expect(Double(chain.certificates[0].notAfter) > later)
        #expect(chain.certificates[0].serial == origin.leaf.serial)
    }

    @Test("the lint sees what is not the genuine one's")
    func lint() throws {
        let chain = try chain()
        let lint = LeafLint(trusted: material.trusted.issuing, others: [material.untrusted.issuing])
        let below = Array(chain.certificates.dropFirst())
        func defects(_ leaf: Certificate, like genuine: Certificate, for name: String = "api.example.com") throws
            -> Set<LeafDefect>
        { lint.defects(of: leaf, below: below, like: genuine, for: try host(name), now: testNow) }
        #expect(try defects(chain.certificates[0], like: origin.leaf) == [])
        #expect(try defects(chain.certificates[0], like: PublicOrigin().leaf) == [])
        #expect(try defects(chain.certificates[0], like: Origin().leaf) == [.unlikeTheGenuine, .noServerAuth])
        #expect(try defects(chain.certificates[0], like: origin.leaf, for: "www.example.org") == [.wrongName])
        // The genuine leaf itself is no clone, and its issuer is not the one made for it.
        #expect(try defects(origin.leaf, like: origin.leaf).isSuperset(of: [.unlikeTheGenuine, .badSignature]))
    }

    @Test("one chain per genuine chain: another leaf, or another anchor, makes another")
    func caching() throws {
        let forge = Forge(material)
        func made(_ genuine: GenuineChain) throws -> PresentedChain {
            try forge.chain(
                for: target, attack: .clonedIdentity, variant: Attack.clonedIdentity.variants[0], rsaLeaf: false,
                genuine: genuine, now: testNow)
        }
        let first = try made(origin.chain)
        #expect(try made(origin.chain) === first)
        #expect(try made(PublicOrigin().chain) !== first)
        #expect(try made(GenuineChain([origin.leaf, origin.intermediate])) !== first)
        #expect(throws: ForgeError.noGenuineChain(target)) { try made(GenuineChain([])) }
    }
}
