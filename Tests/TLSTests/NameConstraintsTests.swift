import Facts
import Policy
import Support
import Testing

@testable import TLS

private func constraints(_ domains: [String], _ addresses: [String] = []) throws -> NameConstraints {
    NameConstraints(domains: domains, addresses: try addresses.map { try #require(IPAddress($0)) })
}

@Test("a domain permits itself and what lies under it, and no name that only ends alike")
func domains() throws {
    let names = try constraints(["example.com", "api.example.com", "cdn.test"])
    #expect(names.permittedDomains == ["cdn.test", "example.com"])
    for (name, permitted) in [
        ("example.com", true), ("a.b.example.com", true), ("badexample.com", false), ("com", false),
        ("cdn.test", true), ("example.com.evil.test", false), ("127.0.0.1", false), ("::1", false),
    ] {
        #expect(names.permits(try host(name)) == permitted, "\(name)")
    }
}

@Test("addresses are excluded family by family, unless the profile names one of the family")
func addresses() throws {
    let none = try constraints(["a.test"])
    #expect(none.excludedAddresses == [.init(everyAddressOf: 4), .init(everyAddressOf: 16)])
    let four = try constraints(["a.test"], ["10.0.0.1"])
    #expect(four.excludedAddresses == [.init(everyAddressOf: 16)])
    #expect(four.permits(try host("10.0.0.1")))
    #expect(!four.permits(try host("10.0.0.2")))
    #expect(!four.permits(try host("::1")))
    let six = try constraints([], ["::1"])
    #expect(six.excludedAddresses == [.init(everyAddressOf: 4)])
    #expect(six.permits(try host("::1")))
    #expect(!six.permits(try host("10.0.0.1")))
    #expect(try constraints([], ["::1", "10.0.0.1"]).excludedAddresses.isEmpty)
}

@Test("what other CAs write is understood: leading dots, excluded names, blocks of addresses")
func foreignConstraints() throws {
    var names = try constraints([".example.com"])
    names.excludedAddresses = []
    names.excludedDomains = ["secret.example.com"]
    names.permittedAddresses = [try #require(NameConstraints.Block(encoded: [10, 1, 0, 0, 255, 255, 0, 0]))]
    #expect(!names.permits(try host("example.com")))
    #expect(names.permits(try host("a.example.com")))
    #expect(!names.permits(try host("x.secret.example.com")))
    #expect(names.permits(try host("10.1.200.3")))
    #expect(!names.permits(try host("10.2.0.1")))
    #expect(!names.permits(try host("::1")))
    #expect(NameConstraints.Block(encoded: [1, 2, 3]) == nil)
}

@Test("OpenSSL reads back what was written")
func constraintsRoundTrip() throws {
    let key = try PrivateKey.generate(.p256)
    for names in [try constraints(["a.test", "b.test"]), try constraints(["a.test"], ["10.0.0.1", "::1"])] {
        let certificate = try CertificateBuilder(
            serial: [1], signature: .ecdsa(.sha256), issuer: DistinguishedName(commonName: "x").der,
            subject: DistinguishedName(commonName: "x").der, notBefore: 0, notAfter: 1, publicKey: key.publicKeyDER,
            extensions: [names.certificateExtension]
        ).signed(by: key)
        #expect(try certificate.nameConstraints() == names)
    }
}
