import Facts
import Policy
import Support
import Testing

@testable import Capture

@Suite struct HostAddressesTests {
    private let api: HostName
    private let cdn: HostName

    init() throws {
        api = try #require(HostName("api.test"))
        cdn = try #require(HostName("cdn.test"))
    }

    private func place(_ text: String) throws -> Endpoint { try #require(Endpoint(text)) }

    @Test("a host at a port is at no other port of that machine")
    func endpoint() throws {
        var addresses = HostAddresses()
        addresses.add(api, at: try place("127.0.0.1:8443"))
        addresses.add(cdn, at: try place("127.0.0.1:8443"))
        #expect(addresses.names(at: try place("127.0.0.1:8443"), .tcp) == [api, cdn])
        #expect(addresses.names(at: try place("127.0.0.1:443"), .tcp).isEmpty)
        #expect(addresses.names(at: try place("127.0.0.2:8443"), .quic).isEmpty)
    }

    @Test("a host of which only the address is known is at the web's ports, and QUIC at any")
    func address() throws {
        var addresses = HostAddresses()
        addresses.add(api, at: try #require(IPAddress("2001:db8::1")))
        for port in HostAddresses.ports {
            #expect(addresses.names(at: try place("[2001:db8::1]:\(port)"), .tcp) == [api])
        }
        #expect(addresses.names(at: try place("[2001:db8::1]:22"), .tcp).isEmpty)
        #expect(addresses.names(at: try place("[2001:db8::1]:9000"), .quic) == [api])
        #expect(addresses.names(at: try place("[2001:db8::1]:9000"), .udp).isEmpty)
    }

    @Test("a profile's exact names are looked up, unless they stay untouched, under the name they resolve to")
    func lookups() throws {
        let rule = { (name: String, expect: HostExpectation) in
            HostRule(pattern: try #require(HostPattern(name)), expect: expect)
        }
        let profile = Profile(
            name: "p",
            rules: [
                try rule("api.test", .refuse), try rule("cdn.test", .accept), try rule("bank.test", .tunnel),
                try rule("*.img.test", .refuse),
            ],
            resolve: [api: try #require(Destination("staging.test:8443"))])
        #expect(Set(profile.lookups.keys.map(\.text)) == ["staging.test", "cdn.test"])
        #expect(profile.lookups[try #require(HostName("staging.test"))]?.map(\.host) ?? [] == [api])
        #expect(profile.lookups[try #require(HostName("staging.test"))]?.map(\.port) == [8443])
        #expect(profile.udpPorts == [443, 8443])
    }
}
