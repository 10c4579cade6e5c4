import Facts
import Policy
import Testing

@testable import Proxy

private func name(_ text: String) throws -> HostName { try #require(HostName(text)) }
private func endpoint(_ text: String) throws -> Endpoint { try #require(Endpoint(text)) }

private func machine(_ phase: Plan.Phase) throws -> ConnectionMachine {
    ConnectionMachine(
        plan: Plan(
            profile: Profile(
                name: "p", rules: [HostRule(pattern: try #require(HostPattern("api.test")), expect: .refuse)],
                resolve: [try name("api.test"): Destination(try name("127.0.0.1"), 9443)]),
            phase: phase))
}

private let expired = Attack.expired.variants[0]

@Test("an attacked CONNECT is dialed, confirmed, checked upstream, and only then met with the forged chain")
func attacked() throws {
    var machine = try machine(.attack(.expired, expired, only: []))
    #expect(machine.on(.tunnelAsked(try endpoint("api.test:443"))) == [.dial(try endpoint("127.0.0.1:9443"))])
    #expect(machine.on(.dialed) == [.confirm, .readHello])
    #expect(
        machine.on(.helloRead(sni: try name("api.test")))
            == [.handshakeWithOrigin(sni: try name("api.test"), verifying: try name("api.test"))])
    #expect(machine.on(.originReady) == [.present(.expired, expired, for: try name("api.test"))])
    #expect(machine.on(.clientFinished) == [.relay])
}

@Test("an origin that does not verify is told to the client, never accepted")
func originRefused() throws {
    var machine = try machine(.attack(.expired, expired, only: []))
    _ = machine.on(.tunnelAsked(try endpoint("api.test:443")))
    _ = machine.on(.dialed)
    _ = machine.on(.helloRead(sni: try name("api.test")))
    #expect(
        machine.on(.originFailed("certificate has expired")) == [.turnAway(.originRefused("certificate has expired"))])
    #expect(machine.on(.originReady) == [])
    #expect(machine.on(.clientFinished) == [])
}

@Test("where SNI and CONNECT differ the SNI is judged and verified, and CONNECT's target is dialed")
func sniDiffers() throws {
    var machine = try machine(.attack(.expired, expired, only: []))
    #expect(machine.on(.tunnelAsked(try endpoint("other.test:8443"))) == [.dial(try endpoint("other.test:8443"))])
    _ = machine.on(.dialed)
    #expect(
        machine.on(.helloRead(sni: try name("api.test")))
            == [.handshakeWithOrigin(sni: try name("api.test"), verifying: try name("api.test"))])
}

@Test("without SNI the CONNECT name is judged and verified, and no SNI goes to the origin")
func noSNI() throws {
    var machine = try machine(.attack(.expired, expired, only: []))
    _ = machine.on(.tunnelAsked(try endpoint("api.test:443")))
    _ = machine.on(.dialed)
    #expect(machine.on(.helloRead(sni: nil)) == [.handshakeWithOrigin(sni: nil, verifying: try name("api.test"))])
}

@Test("in passthrough, and for hosts nobody attacks, bytes are copied")
func tunnelled() throws {
    for phase in [Plan.Phase.passthrough, .attack(.expired, expired, only: [])] {
        var machine = try machine(phase)
        let target = phase == .passthrough ? "api.test:443" : "else.test:443"
        _ = machine.on(.tunnelAsked(try endpoint(target)))
        _ = machine.on(.dialed)
        #expect(machine.on(.helloRead(sni: nil)) == [.tunnel])
    }
}

@Test("TLS without CONNECT goes by its SNI, and is turned away without one")
func byName() throws {
    var machine = try machine(.passthrough)
    #expect(machine.on(.helloCame) == [.readHello])
    #expect(machine.on(.helloRead(sni: try name("else.test"))) == [.dial(try endpoint("else.test:443"))])
    #expect(machine.on(.dialed) == [.tunnel])
    var nameless = try ConnectionMachineTests.fresh()
    _ = nameless.on(.helloCame)
    #expect(nameless.on(.helloRead(sni: nil)) == [.turnAway(.nameless)])
}

@Test("an unreachable origin is told before the tunnel is confirmed")
func unreachable() throws {
    var machine = try machine(.passthrough)
    _ = machine.on(.tunnelAsked(try endpoint("api.test:443")))
    #expect(machine.on(.dialFailed("connection refused")) == [.turnAway(.unreachable("connection refused"))])
    #expect(machine.on(.dialed) == [])
}

@Test("plain HTTP is forwarded, and what is no TLS after CONNECT is copied")
func cleartext() throws {
    var machine = try machine(.attack(.expired, expired, only: []))
    _ = machine.on(.requestAsked(try endpoint("else.test:80")))
    #expect(machine.on(.dialed) == [.forward])
    var tunnel = try ConnectionMachineTests.fresh()
    _ = tunnel.on(.tunnelAsked(try endpoint("else.test:22")))
    _ = tunnel.on(.dialed)
    #expect(tunnel.on(.otherProtocolCame) == [.tunnel])
}

private enum ConnectionMachineTests {
    static func fresh() throws -> ConnectionMachine { try machine(.passthrough) }
}
