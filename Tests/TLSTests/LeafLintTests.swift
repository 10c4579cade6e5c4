import Facts
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// Plants one defect after the other into an honest leaf and looks whether the lint finds it and nothing else.
@Suite("the lint of a leaf")
struct LeafLintTests {
    let authority: CertificateAuthority
    let twin: CertificateAuthority
    let key: PrivateKey
    init() throws {
        authority = try CertificateAuthority.general(now: testNow)
        twin = try authority.twin()
        key = try PrivateKey.generate(.p256)
    }

    private static let day: Int64 = 86_400

    private func honest(_ name: String = "api.example.com") throws -> CertificateBuilder {
        CertificateBuilder(
            serial: try CertificateBuilder.randomSerial(), signature: authority.signature, issuer: authority.issuerDER,
            subject: DistinguishedName(organization: "pinproof", commonName: name).der,
            notBefore: Int64(testNow) - 2 * Self.day, notAfter: Int64(testNow) + 88 * Self.day,
            publicKey: key.publicKeyDER,
            extensions: [
                .keyUsage(.digitalSignature), .serverAuth, .endEntity, .subjectKeyIdentifier([1, 2, 3]),
                .authorityKeyIdentifier(authority.keyIdentifier), .subjectAltName(try host(name)),
            ])
    }

    private func defects(
        _ builder: CertificateBuilder, signer: PrivateKey? = nil, for name: String = "api.example.com",
        verifies: Bool = true
    ) throws -> Set<LeafDefect> {
        let leaf = try builder.signed(by: signer ?? authority.key)
        return LeafLint(trusted: authority.issuing, others: [twin.issuing])
            .defects(of: leaf, for: try host(name), now: testNow, verifies: verifies)
    }

    private func changed(_ change: (inout CertificateBuilder) throws -> Void) throws -> CertificateBuilder {
        var builder = try honest()
        try change(&builder)
        return builder
    }

    private func replacing(_ old: [UInt8], _ new: CertificateExtension?) throws -> CertificateBuilder {
        try changed { builder in
            builder.extensions = builder.extensions.compactMap { $0.oid == old ? new : $0 }
        }
    }

    @Test("an honest leaf has none")
    func none() throws { #expect(try defects(honest()) == []) }

    @Test("names: another, an additional, a wildcard, another common name, another kind, none")
    func names() throws {
        #expect(try defects(honest(), for: "www.example.com") == [.wrongName])
        #expect(try defects(honest("other-host.pinproof.invalid")) == [.wrongName])
        let dns = { (name: String) in DER.implicit(2, name.utf8) }
        let two = DER.sequence(dns("api.example.com"), dns("b.example.com"))
        let wildcard = DER.sequence(dns("*.example.com"))
        let upper = DER.sequence(dns("API.example.com"))
        let address = DER.sequence(DER.implicit(7, Array("api.example.com".utf8)))
        for value in [two, wildcard, upper, address] {
            let planted = try replacing(
                OID.subjectAltName, .init(oid: OID.subjectAltName, critical: false, value: value))
            #expect(try defects(planted) == [.wrongName])
        }
        #expect(try defects(replacing(OID.subjectAltName, nil)) == [.noSAN])
        let empty = CertificateExtension(oid: OID.subjectAltName, critical: false, value: DER.sequence())
        #expect(try defects(replacing(OID.subjectAltName, empty)) == [.noSAN])
        let common = try changed { $0.subject = DistinguishedName(commonName: "b.example.com").der }
        #expect(try defects(common) == [.wrongName])
        // An address is no common name, and a DNS name that looks like one is not the address.
        #expect(try defects(honest("10.0.0.1"), for: "10.0.0.1") == [.wrongName])
    }

    @Test("dates: over, not begun, not backdated, too long")
    func dates() throws {
        let now = Int64(testNow)
        let cases: [(Int64, Int64, Set<LeafDefect>)] = [
            (now - 90 * Self.day, now - 1, [.expired]),
            (now - 90 * Self.day, now, []),
            (now + 1, now + 10, [.notYetValid]),
            (now - 2 * Self.day + 1, now + 10, [.notBackdated]),
            (now - 2 * Self.day, now + 88 * Self.day + 1, [.tooLong]),
            (now - 120 * Self.day, now - 30 * Self.day, [.expired]),
        ]
        for (begin, end, expected) in cases {
            let planted = try changed {
                $0.notBefore = begin
                $0.notAfter = end
            }
            #expect(try defects(planted) == expected)
        }
    }

    @Test("issuers: the twin, itself, a stranger; and signatures that are not the issuer's")
    func issuers() throws {
        let twins = try changed {
            $0.issuer = twin.issuerDER
            $0.extensions[4] = .authorityKeyIdentifier(twin.keyIdentifier)
        }
        #expect(try defects(twins, signer: twin.key) == [.untrustedIssuer])
        #expect(try defects(twins, signer: key) == [.untrustedIssuer, .badSignature])
        let own = try changed {
            $0.issuer = $0.subject
            $0.extensions[4] = .authorityKeyIdentifier([1, 2, 3])
        }
        #expect(try defects(own, signer: key) == [.selfSigned])
        #expect(try defects(own, signer: authority.key) == [.selfSigned, .badSignature])
        let stranger = try changed { $0.issuer = DistinguishedName(commonName: "Stranger").der }
        #expect(try defects(stranger) == [.untrustedIssuer, .badSignature])
        #expect(try defects(honest(), signer: twin.key) == [.badSignature])
        #expect(try defects(honest(), signer: twin.key, verifies: false) == [])
        #expect(try defects(stranger, verifies: false) == [.untrustedIssuer, .badSignature])
    }

    @Test("key identifiers: none, or another issuer's")
    func keyIdentifiers() throws {
        let foreign = CertificateExtension.authorityKeyIdentifier(twin.keyIdentifier)
        #expect(try defects(replacing(OID.authorityKeyIdentifier, foreign)) == [.keyIdentifiers])
        #expect(try defects(replacing(OID.authorityKeyIdentifier, nil)) == [.keyIdentifiers])
        #expect(try defects(replacing(OID.subjectKeyIdentifier, nil)) == [.keyIdentifiers])
    }

    @Test("uses: no serverAuth, a second use, a CA, wrong or no key usage")
    func uses() throws {
        let clientAuth = DER.oid(1, 3, 6, 1, 5, 5, 7, 3, 2)
        func usage(_ uses: [UInt8]...) -> CertificateExtension {
            CertificateExtension(oid: OID.extendedKeyUsage, critical: false, value: DER.sequence(uses))
        }
        #expect(try defects(replacing(OID.extendedKeyUsage, usage(clientAuth))) == [.noServerAuth])
        #expect(try defects(replacing(OID.extendedKeyUsage, usage(OID.serverAuth, clientAuth))) == [.noServerAuth])
        #expect(try defects(replacing(OID.extendedKeyUsage, nil)) == [.noServerAuth])
        #expect(try defects(replacing(OID.basicConstraints, .authority(pathLength: 0))) == [.isCA])
        #expect(try defects(replacing(OID.keyUsage, .keyUsage(.keyCertSign))) == [.keyUsage])
        #expect(try defects(replacing(OID.keyUsage, .keyUsage(.digitalSignature, .keyEncipherment))) == [.keyUsage])
        #expect(try defects(replacing(OID.keyUsage, nil)) == [.keyUsage])
    }

    @Test(
        "keys: too short, or on a curve of no TLS client",
        arguments: [KeyType.rsa(bits: 1024), .ec(curve: "secp224r1"), .other("ED448")])
    func keys(type: KeyType) throws {
        let weak = try PrivateKey.generate(type)
        let planted = try changed {
            $0.publicKey = weak.publicKeyDER
            if case .rsa = type { $0.extensions[0] = .keyUsage(.digitalSignature, .keyEncipherment) }
        }
        #expect(try defects(planted) == [.weakKey])
    }

    @Test("serials: zero, too short to be random, too long")
    func serials() throws {
        for serial in [[], [0], [5], Array(repeating: 0x11, count: 7), Array(repeating: 0x11, count: 21)] as [[UInt8]] {
            #expect(try defects(changed { $0.serial = serial }) == [.badSerial])
        }
        #expect(try defects(changed { $0.serial = Array(repeating: 0xff, count: 20) }) == [])
    }

    @Test("versions and digests of the past")
    func versions() throws {
        let old = try changed {
            $0.version = 0
            $0.extensions = []
        }
        #expect(try defects(old).isSuperset(of: [.noVersion3, .noSAN, .noServerAuth, .keyUsage, .keyIdentifiers]))
        // ecdsa-with-SHA224 differs from ecdsa-with-SHA256 in its last arc alone.
        let leaf = try honest().signed(by: authority.key)
        let (strong, weak) = (SignatureAlgorithm.ecdsa(.sha256).der, DER.sequence(DER.oid(1, 2, 840, 10045, 4, 3, 1)))
        let planted = try Certificate(der: substituting(strong, by: weak, in: leaf.der))
        let found = LeafLint(trusted: authority.issuing).defects(
            of: planted, for: try host("api.example.com"), now: testNow)
        #expect(found == [.weakSignature, .badSignature])
    }
}

/// Every occurrence of bytes by others of the same length.
private func substituting(_ old: [UInt8], by new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    var out = bytes
    for at in out.indices.dropLast(old.count - 1) where out[at..<at + old.count].elementsEqual(old) {
        out.replaceSubrange(at..<at + old.count, with: new)
    }
    return out
}
