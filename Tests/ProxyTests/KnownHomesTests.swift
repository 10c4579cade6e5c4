import Facts
import Policy
import Testing

@testable import Proxy

@Test("who lives at an address is told by `resolve` and by earlier calls, where all who live there have to refuse")
func knownHomes() throws {
    let (api, other) = (try #require(HostName("api.test")), try #require(HostName("other.test")))
    let late = try #require(HostName("late.test"))
    let home = try #require(Endpoint("192.0.2.1:443"))
    let elsewhere = try #require(Endpoint("192.0.2.1:8443"))
    var profile = Profile(name: "p", rules: [HostRule(pattern: HostPattern(exactly: api), expect: .refuse)])
    let homes = KnownHomes()
    #expect(homes.host(at: home, profile) == nil)
    homes.note(api, at: home)
    #expect(homes.host(at: home, profile) == api && homes.host(at: elsewhere, profile) == nil)
    profile.resolve[api] = Destination(home.host, 8443)
    #expect(homes.host(at: elsewhere, profile) == api)
    homes.note(other, at: home)
    #expect(homes.host(at: home, profile) == nil)
    homes.note(home.host, at: elsewhere)
    #expect(homes.host(at: elsewhere, profile) == api)
    // At other ports of the address somebody may live of whom nobody knows yet.
    let third = Endpoint(home.host, 993)
    #expect(homes.neighbours(of: third, profile) == .init(refusing: [api], others: [other]))
    #expect(homes.neighbours(of: elsewhere, profile) == nil && homes.neighbours(of: home, profile) == nil)
    #expect(homes.neighbours(of: try #require(Endpoint("192.0.2.2:443")), profile) == nil)
    homes.noteStranger(at: third, among: .init(refusing: [api], others: [other]))
    #expect(homes.neighbours(of: third, profile) == nil)
    // Nobody of those: but another one has been found there since.
    homes.note(late, at: home)
    #expect(homes.neighbours(of: third, profile) == .init(refusing: [api], others: [late, other].sorted()))
    // A domain whose every name leads to one address has no end.
    let crowd = try #require(Endpoint("192.0.2.9:443"))
    for number in 0..<(2 * KnownHomes.nameLimit) {
        homes.note(try #require(HostName("n\(number).wild.test")), at: crowd)
    }
    homes.note(api, at: crowd)
    let crowded = homes.neighbours(of: Endpoint(crowd.host, 993), profile)
    #expect(crowded == nil && homes.host(at: crowd, profile) == nil)
    for port in 1...UInt16(KnownHomes.limit + 9) { homes.note(api, at: Endpoint(home.host, port)) }
    #expect(homes.host(at: Endpoint(home.host, UInt16(KnownHomes.limit + 9)), profile) == nil)
}
