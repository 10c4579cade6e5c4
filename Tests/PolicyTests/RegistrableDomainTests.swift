import Facts
import Testing

@testable import Policy

@Suite struct RegistrableDomainTests {
    @Test("siblings are told by what was registered, as far as that can be told")
    func domains() throws {
        for (host, domain) in [
            ("api.example.com", "example.com"), ("example.com", "example.com"), ("a.b.example.co.uk", "example.co.uk"),
            ("co.uk", "co.uk"), ("localhost", nil), ("192.0.2.7", nil), ("a.co.example.com", "example.com"),
        ] as [(String, String?)] {
            #expect(RegistrableDomain.of(try #require(HostName(host))) == domain)
        }
    }
}
