import Facts
import Testing

@testable import Wire

@Suite("ClientHello")
struct ClientHelloTests {
    @Test("gives the facts of an observation")
    func facts() throws {
        let hello = try parsed(RecordedHello.earlyData)
        let facts = hello.facts(Fingerprint(ja4: "j", stack: "s"))
        #expect(
            facts
                == HelloFacts(
                    sni: HostName("api.pin.test"), alpn: [], versions: [.tls13, .tls12, .tls11, .tls10], ja4: "j",
                    stack: "s", offersPSK: true, offersSessionID: true, offersEarlyData: true, offersECH: false,
                    likelyStacks: [.openssl], length: 412))
    }

    private static let p256: (UInt16, [UInt8]) = HelloBuilder.algorithms([0x0804, 0x0403])
    private static let rsaOnly: (UInt16, [UInt8]) = HelloBuilder.algorithms([0x0804, 0x0401, 0x0503])

    private func hello(suites: [UInt16], _ extensions: [(UInt16, [UInt8])]) throws -> ClientHello {
        var builder = HelloBuilder()
        builder.cipherSuites = suites
        builder.extensions = extensions.map { (type: $0.0, body: $0.1) }
        return try parsed(builder.records())
    }

    private func prefersRSA(
        _ version: TLSVersion, suites: [UInt16] = [0x1301, 0xc02b, 0xc02f], _ extensions: [(UInt16, [UInt8])]
    ) throws -> Bool { try hello(suites: suites, extensions).prefersRSALeaf(for: version) }

    private func takesRSA(
        _ version: TLSVersion, suites: [UInt16] = [0x1301, 0xc02b, 0xc02f], _ extensions: [(UInt16, [UInt8])]
    ) throws -> Bool { try hello(suites: suites, extensions).takesRSALeaf(for: version) }

    @Test("takes an RSA leaf where a suite and an algorithm allow it, in TLS 1.3 with PSS alone")
    func takesRSALeaf() throws {
        #expect(try takesRSA(.tls13, [Self.p256]) && takesRSA(.tls12, [Self.p256]))
        let (pkcs1, ecdsa) = (HelloBuilder.algorithms([0x0403, 0x0401]), HelloBuilder.algorithms([0x0403, 0x0503]))
        #expect(try !takesRSA(.tls13, [pkcs1]) && takesRSA(.tls12, [pkcs1]))
        #expect(try !takesRSA(.tls13, [ecdsa]) && !takesRSA(.tls12, [ecdsa]))
        #expect(try !takesRSA(.tls12, suites: [0x1301, 0xc02b], [Self.p256]))
        #expect(try !takesRSA(.tls13, []) && takesRSA(.tls12, []))
        #expect(try takesRSA(.tls11, suites: [0xc013], []) && !takesRSA(.tls11, suites: [0xc009], []))
    }

    @Test("takes a leaf of another curve where the algorithm and, for P-521, the group are on offer")
    func takesOtherLeaves() throws {
        let all = HelloBuilder.algorithms([0x0403, 0x0503, 0x0603, 0x0807])
        let groups = HelloBuilder.groups([0x0017, 0x0018, 0x0019])
        let full = try hello(suites: [0x1301, 0xc02b], [all, groups])
        #expect(full.takesP384Leaf && full.takesP521Leaf)
        #expect(full.takesEd25519Leaf(for: .tls13) && full.takesEd25519Leaf(for: .tls12))
        #expect(!full.takesEd25519Leaf(for: .tls11))
        #expect(try !hello(suites: [0x1301, 0xc02b], [all, HelloBuilder.groups([0x0017])]).takesP521Leaf)
        let usual = try hello(suites: [0x1301, 0xc02b], [Self.p256, groups])
        #expect(!usual.takesP521Leaf && !usual.takesEd25519Leaf(for: .tls13))
        // In TLS 1.2 it signs for the suites of ECDSA.
        let rsa = try hello(suites: [0x1301, 0xc02f], [all, groups])
        #expect(rsa.takesEd25519Leaf(for: .tls13) && !rsa.takesEd25519Leaf(for: .tls12))
        #expect(try !hello(suites: [0x1301], []).takesEd25519Leaf(for: .tls13))
    }

    @Test("wants an RSA leaf in TLS 1.3 only where the algorithm is missing")
    func leafKey13() throws {
        #expect(try !prefersRSA(.tls13, [Self.p256]))
        #expect(try prefersRSA(.tls13, [Self.rsaOnly]))
        #expect(try !prefersRSA(.tls13, []))
        // In 1.3 neither suites nor groups say anything of the certificate's key.
        #expect(try !prefersRSA(.tls13, suites: [0x1301], [Self.p256, HelloBuilder.groups([29])]))
    }

    @Test("wants an RSA leaf in TLS 1.2 where suite, curve or algorithm is missing")
    func leafKey12() throws {
        #expect(try !prefersRSA(.tls12, [Self.p256, HelloBuilder.groups([29, 23])]))
        #expect(try !prefersRSA(.tls12, []))
        #expect(try prefersRSA(.tls12, [Self.rsaOnly]))
        #expect(try prefersRSA(.tls12, [Self.p256, HelloBuilder.groups([29, 24])]))
        #expect(try prefersRSA(.tls12, suites: [0x1301, 0xc02f, 0xc030, 0x009c], [Self.p256]))
        // ECDH_ECDSA with a static key, NULL, RC4 and 3DES serve nobody.
        #expect(try prefersRSA(.tls12, suites: [0xc004, 0xc006, 0xc007, 0xc008, 0xc02f], [Self.p256]))
        #expect(try !prefersRSA(.tls12, suites: [0xcca9], [Self.p256]))
    }

    @Test("a client of ECDSA alone gets a P-256 leaf in TLS 1.2, whatever hash it takes", arguments: 2...6)
    func leafKeyOfOtherHash(hash: UInt8) throws {
        let other = HelloBuilder.algorithms([UInt16(hash) << 8 | 3])
        let alone: [UInt16] = [0x1301, 0x0a0a, 0xc02b, 0xc00a, 0x00ff, 0x5600]
        #expect(try !prefersRSA(.tls12, suites: alone, [other]))
        #expect(try prefersRSA(.tls12, suites: alone, [HelloBuilder.algorithms([0x0401])]))
        #expect(try prefersRSA(.tls12, suites: alone, [other, HelloBuilder.groups([29, 24])]), "no P-256")
        #expect(try !prefersRSA(.tls12, suites: alone + [0xc02f, 0x0033], [other]), "RSA could not sign")
        // One that an RSA leaf can serve gets that, and TLS 1.3 binds the curve to the hash.
        #expect(try prefersRSA(.tls12, suites: alone + [0x002f], [other]) == (hash != 4), "RSA decrypts")
        let both = HelloBuilder.algorithms([UInt16(hash) << 8 | 3, 0x0201])
        #expect(try prefersRSA(.tls12, suites: alone + [0xc02f], [both]) == (hash != 4))
        #expect(try !prefersRSA(.tls12, suites: alone, [both]))
        #expect(try prefersRSA(.tls13, suites: alone, [other]) == (hash != 4))
    }

    @Test("does not ask old versions for signature algorithms")
    func leafKey10() throws {
        #expect(try !prefersRSA(.tls10, suites: [0xc009], [Self.rsaOnly]))
        #expect(try prefersRSA(.tls11, suites: [0xc013], []))
    }

    @Test("finds P-256 possible with every client recorded")
    func realClients() throws {
        for (name, bytes) in ClientHelloParserTests.recorded {
            let hello = try parsed(bytes)
            for version in hello.versions where version >= .tls12 {
                #expect(!hello.prefersRSALeaf(for: version), "\(name) \(version)")
            }
        }
    }

    @Test("before TLS 1.2 only the older ECDSA suites work with a P-256 leaf", arguments: [TLSVersion.tls10, .tls11])
    func leafKeyBefore12(version: TLSVersion) throws {
        #expect(try prefersRSA(version, suites: [0xc02b, 0xc02f], []))
        #expect(try !prefersRSA(version, suites: [0xc02b, 0xc00a], []))
        #expect(try !prefersRSA(version, suites: [0xc009], [Self.rsaOnly]), "the extension is of TLS 1.2")
    }

    @Test("without encryption there is one suite for a P-256 leaf")
    func leafKeyUnencrypted() throws {
        func prefersRSA(_ suites: [UInt16], _ extensions: [(UInt16, [UInt8])] = []) throws -> Bool {
            var builder = HelloBuilder()
            builder.cipherSuites = suites
            builder.extensions = extensions.map { (type: $0.0, body: $0.1) }
            return try parsed(builder.records()).prefersRSALeafUnencrypted
        }
        #expect(try prefersRSA([0x1301, 0xc02b, 0x003b]))
        #expect(try !prefersRSA([0xc006, 0x003b], [Self.p256]))
        #expect(try prefersRSA([0xc006, 0xc010], [Self.rsaOnly]))
        #expect(try prefersRSA([0xc006], [HelloBuilder.groups([29])]))
    }

    @Test("names the weak suites that are offered, in the client's order")
    func weakSuites() throws {
        var builder = HelloBuilder()
        builder.cipherSuites = [0x1301, 0x003b, 0xc02b, 0xc018, 0x0003, 0x003b, 0x00ff, 0x5600, 0xc0b4]
        let facts = try parsed(builder.records()).facts(Fingerprint(ja4: "", stack: ""))
        #expect(
            facts.weakSuites == [
                "TLS_RSA_WITH_NULL_SHA256", "TLS_ECDH_anon_WITH_AES_128_CBC_SHA", "TLS_RSA_EXPORT_WITH_RC4_40_MD5",
                "TLS_SHA256_SHA256",
            ])
    }
}

/// A hello that must be readable.
func parsed(_ bytes: [UInt8]) throws -> ClientHello {
    var parser = ClientHelloParser()
    guard case .complete(let hello) = parser.read(bytes) else { throw WireError.truncated(field: "a test's hello") }
    return hello
}
