import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

private let day: Int64 = 86_400

/// A leaf as the forge would make it, without the forge's own check of the CA's scope.
private func leaf(_ name: String, under authority: CertificateAuthority) throws -> PresentedChain {
    let key = LeafKey(try PrivateKey.generate(.p256))
    let leaf = try LeafSpecification(
        LeafName(try host(name)), .current, key: key, issuer: authority.issuer, begin: authority.notBefore,
        end: authority.notAfter, now: testNow
    ).make()
    return PresentedChain(certificates: [leaf] + authority.presentedIntermediates, key: key.key)
}

private func verify(_ name: String, under authority: CertificateAuthority) throws -> HandshakeTrial {
    try HandshakeTrial(
        leaf(name, under: authority), to: host(name), trusting: [authority.root], version: .tls13, now: testNow)
}

@Suite("certificate authorities")
struct CertificateAuthorityTests {
    @Test("a general CA signs directly for every host, addresses too")
    func general() throws {
        let authority = try CertificateAuthority.general(now: testNow)
        #expect(authority.root == authority.issuing)
        #expect(authority.presentedIntermediates.isEmpty)
        #expect(authority.scope.isEmpty)
        #expect(authority.root.notBefore == Int64(testNow) - 122 * day)
        #expect(authority.root.notAfter == Int64(testNow) + 730 * day)
        #expect(authority.root.keyType == .p256)
        #expect(authority.root.subject.hasPrefix("CN=pinproof root "))
        #expect(authority.root.subject.hasSuffix(" 2026-01-01,O=pinproof"))
        for name in ["api.example.com", "localhost", "10.0.0.1", "::1"] {
            #expect(authority.permits(try host(name)))
            let trial = try verify(name, under: authority)
            #expect(trial.completed && trial.verification == 0, "\(name): \(trial.verdict)")
        }
    }

    @Test("a constrained CA signs for the profile's hosts, and OpenSSL refuses what it signs outside")
    func constrained() throws {
        let profile = try profile(
            refuse: ["api.example.com", "10.0.0.1"], accept: ["*.cdn.example.com"], tunnel: ["bank.example"],
            controls: ["**.control.test"])
        let authority = try CertificateAuthority.constrained(to: profile, now: testNow)
        #expect(authority.scope == ["api.example.com", "cdn.example.com", "control.test", "10.0.0.1"])
        #expect(authority.presentedIntermediates == [authority.issuing])
        #expect(authority.root != authority.issuing)
        for name in [
            "api.example.com", "a.cdn.example.com", "x.y.control.test", "10.0.0.1", "other-host.pinproof.invalid",
        ] {
            #expect(authority.permits(try host(name)))
            let trial = try verify(name, under: authority)
            #expect(trial.completed && trial.verification == 0, "\(name): \(trial.verdict)")
        }
        for (name, code) in [
            ("example.com", 47), ("bank.example", 47), ("badcdn.example.com", 47), ("10.0.0.2", 47), ("::1", 47),
        ] {
            #expect(!authority.permits(try host(name)))
            let trial = try verify(name, under: authority)
            #expect(!trial.completed && trial.verification == code, "\(name): \(trial.verification) \(trial.verdict)")
        }
    }

    @Test("without addresses in the profile every address is excluded")
    func noAddresses() throws {
        let authority = try CertificateAuthority.constrained(to: try profile(), now: testNow)
        for name in ["10.0.0.1", "::1"] { #expect(try verify(name, under: authority).verification == 48) }
    }

    @Test("the constraints are not critical and have no leading dot; path lengths leave room for four CAs")
    func shape() throws {
        let authority = try CertificateAuthority.constrained(
            to: try profile(refuse: ["*.example.com"]), now: testNow)
        let found = try authority.issuing.extensions()
        let constraints = try #require(found.first { $0.oid == OID.nameConstraints })
        #expect(!constraints.critical)
        #expect(try authority.issuing.nameConstraints()?.permittedDomains == ["example.com", "pinproof.invalid"])
        #expect(found.contains(.authority(pathLength: 4)))
        #expect(try authority.root.extensions().contains(.authority(pathLength: 5)))
        #expect(authority.room == 4)
        #expect(try CertificateAuthority.general(now: testNow).room == 4)
        #expect(try authority.root.nameConstraints() == nil)
    }

    @Test("others: accept and a profile with nothing to forge make no constrained CA")
    func noConstrained() throws {
        let open = try profile(others: .accept)
        let error = #expect(throws: CAError.self) { try CertificateAuthority.constrained(to: open, now: testNow) }
        #expect(error?.code == .profile)
        #expect(error?.hint != nil)
        let idle = try profile(refuse: [], tunnel: ["bank.example"])
        #expect(throws: CAError.self) { try CertificateAuthority.constrained(to: idle, now: testNow) }
    }
}

/// The DER of everything that is signed, whose length is the same for equal shapes; the signature's is not.
private func signedLength(_ certificate: Certificate) throws -> Int {
    let outer = try #require(DERElement(certificate.der, at: 0))
    return try #require(DERElement.children(certificate.der, in: outer.content)?.first).content.count
}

private func expectTwins(_ a: Certificate, _ b: Certificate) throws {
    #expect(try signedLength(a) == signedLength(b))
    #expect(a.notBefore == b.notBefore && a.notAfter == b.notAfter)
    #expect(a.keyType == b.keyType)
    #expect(a.signatureAlgorithm == b.signatureAlgorithm)
    let (mine, its) = (try a.extensions(), try b.extensions())
    #expect(mine.map(\.oid) == its.map(\.oid))
    #expect(mine.map(\.critical) == its.map(\.critical))
    #expect(mine.map(\.value.count) == its.map(\.value.count))
    let identifiers = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier]
    #expect(mine.filter { !identifiers.contains($0.oid) } == its.filter { !identifiers.contains($0.oid) })
    // And what must differ does.
    #expect(a.subject != b.subject && a.subjectDER.count == b.subjectDER.count)
    #expect(a.publicKeyDER != b.publicKeyDER)
    #expect(a.serial != b.serial && a.serial.count == b.serial.count)
    #expect(a.subjectKeyIdentifier == nil || a.subjectKeyIdentifier != b.subjectKeyIdentifier)
}

@Suite("the untrusted twin")
struct TwinAuthorityTests {
    @Test("differs from its original in keys, names and serials alone, general or constrained")
    func ours() throws {
        for authority in [
            try CertificateAuthority.general(now: testNow),
            try CertificateAuthority.constrained(to: try profile(), now: testNow),
        ] {
            let twin = try authority.twin()
            #expect(twin.kind == authority.kind)
            try expectTwins(authority.root, twin.root)
            try expectTwins(authority.issuing, twin.issuing)
            #expect(twin.presentedIntermediates.count == authority.presentedIntermediates.count)
            #expect(twin.scope == authority.scope)
            #expect(twin.root.signed(twin.issuing))
            #expect(twin.key.matches(twin.issuing))
            // The name carries the twin's own key identifier, as ours carry theirs.
            let digits = Hex.encode(twin.root.subjectKeyIdentifier?.prefix(4) ?? [])
            #expect(twin.root.subject.contains(" \(digits) 2026-01-01"))
            #expect(try verify("api.example.com", under: twin).completed)
            let cross = try HandshakeTrial(
                leaf("api.example.com", under: twin), to: host("api.example.com"), trusting: [authority.root],
                version: .tls13, now: testNow)
            // 20: no issuer found; 19 or 21 are its relatives for other depths.
            #expect(!cross.completed && [19, 20, 21].contains(cross.verification), "\(cross.verdict)")
        }
    }

    @Test(
        "copies a lent CA: its key type, dates, extensions, and the length of its names and numbers",
        arguments: [KeyType.p384, .rsa(bits: 2048)])
    func lent(type: KeyType) throws {
        let key = try PrivateKey.generate(type)
        let name = DistinguishedName(organization: "Team", commonName: "Team Test CA").der
        let identifier: [UInt8] = Array(1...32)
        let original = try CertificateBuilder(
            serial: [7], signature: CertificateAuthority.signature(for: key), issuer: name, subject: name,
            notBefore: Int64(testNow) - 100 * day, notAfter: Int64(testNow) + 1000 * day, publicKey: key.publicKeyDER,
            extensions: [
                .authority(pathLength: 3), .keyUsage(.keyCertSign), .subjectKeyIdentifier(identifier),
                // keyid, issuer and serial, as `authorityKeyIdentifier=keyid,issuer:always` writes them.
                CertificateExtension(
                    oid: OID.authorityKeyIdentifier, critical: false,
                    value: DER.sequence(
                        DER.implicit(0, identifier), DER.implicit(1, constructed: true, DER.explicit(4, name)),
                        DER.implicit(2, [7]))),
            ]
        ).signed(by: key)
        let authority = try CertificateAuthority(kind: .lent, root: original, issuing: original, key: key)
        let twin = try authority.twin()
        try expectTwins(original, twin.root)
        #expect(twin.root.isSelfIssued && twin.root.authorityKeyIdentifier == twin.root.subjectKeyIdentifier)
        #expect(!PEM.contains(String(decoding: identifier, as: UTF8.self), in: twin.root.der))
        // Nothing of the original's identity is left in it: not in the name, nor in the issuer of the identifier.
        let carried = try #require(try twin.root.extensions().first { $0.oid == OID.authorityKeyIdentifier }).value
        #expect(
            carried
                == DER.sequence(
                    DER.implicit(0, twin.root.subjectKeyIdentifier ?? []),
                    DER.implicit(1, constructed: true, DER.explicit(4, twin.root.subjectDER)),
                    DER.implicit(2, twin.root.serial)))
        #expect(!PEM.contains("Team Test CA", in: twin.root.der))
        #expect(try verify("api.example.com", under: twin).completed)
        #expect(authority.presentedIntermediates.isEmpty)
    }

    @Test("a lent CA that another one issued is presented, and its twin has an issuer that never was")
    func lentIntermediate() throws {
        let made = try CertificateAuthority.constrained(to: try profile(), now: testNow)
        let authority = try CertificateAuthority(kind: .lent, root: made.issuing, issuing: made.issuing, key: made.key)
        #expect(authority.presentedIntermediates == [made.issuing])
        #expect(authority.scope == ["api.example.com"])
        let twin = try authority.twin()
        try expectTwins(made.issuing, twin.issuing)
        #expect(twin.issuing.issuerDER != made.root.subjectDER)
        #expect(!twin.issuing.isSelfIssued && !made.root.signed(twin.issuing))
    }

    @Test("names keep length and kind of characters; without any letter or digit there is no twin")
    func names() throws {
        let identifier: [UInt8] = [0xab, 0xcd, 0xef, 0x01]
        func renamed(_ name: DistinguishedName) throws -> [UInt8] {
            try TwinCertificate.name(like: name.der, identifier)
        }
        let ours = DistinguishedName(organization: "pinproof", commonName: "pinproof root 12345678 2026-01-01")
        let expected = DistinguishedName(organization: "pinproof", commonName: "pinproof root abcdef01 2026-01-01")
        #expect(try renamed(ours) == expected.der)
        let onlyOrganization = DistinguishedName(organization: "Ümläut-9", commonName: nil)
        let other = try renamed(onlyOrganization)
        #expect(other != onlyOrganization.der && other.count == onlyOrganization.der.count)
        #expect(throws: CAError.self) { try renamed(DistinguishedName(organization: nil, commonName: "---")) }
        #expect(throws: CAError.self) { try renamed(DistinguishedName()) }
    }
}
