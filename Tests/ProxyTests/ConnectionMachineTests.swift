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

@Test("before the onset of its attack a host is tunnelled, by CONNECT and by name")
func spared() throws {
    let attack = Attack.laterConnection
    var machine = try machine(.attack(attack, attack.variants[0], only: []))
    _ = machine.on(.tunnelAsked(try endpoint("api.test:443")))
    _ = machine.on(.dialed)
    #expect(machine.on(.helloRead(sni: try name("api.test"), isSpared: true)) == [.tunnel])
    var named = try ConnectionMachineTests.fresh(.attack(attack, attack.variants[0], only: []))
    _ = named.on(.helloCame)
    _ = named.on(.helloRead(sni: try name("api.test"), isSpared: true))
    #expect(named.on(.dialed) == [.tunnel])
}

@Test("before the onset that an outage has, the connection is reset; the ones after it are attacked")
func outage() throws {
    let attack = Attack.laterConnection
    let variant = try #require(attack.variants.first { $0.name == "after-reset" })
    for isSpared in [true, false] {
        var machine = try machine(.attack(attack, variant, only: []))
        _ = machine.on(.tunnelAsked(try endpoint("api.test:443")))
        _ = machine.on(.dialed)
        let sni = try name("api.test")
        #expect(
            machine.on(.helloRead(sni: sni, isSpared: isSpared))
                == [isSpared ? .refuse(attack, variant, .reset) : .handshakeWithOrigin(sni: sni, verifying: sni)])
    }
}

@Test("a server without TLS refuses it as soon as it is asked, and nothing follows")
func noTLS() throws {
    let attack = Attack.cleartextFallback
    for variant in attack.variants {
        let refusal = try #require(variant.conduct.refusal)
        var machine = try machine(.attack(attack, variant, only: []))
        _ = machine.on(.tunnelAsked(try endpoint("api.test:443")))
        _ = machine.on(.dialed)
        #expect(machine.on(.helloRead(sni: try name("api.test"))) == [.refuse(attack, variant, refusal)])
        #expect(machine.on(.originReady) == [] && machine.on(.clientFinished) == [])
        // Nobody else is refused.
        var other = try ConnectionMachineTests.fresh(.attack(attack, variant, only: []))
        _ = other.on(.tunnelAsked(try endpoint("else.test:443")))
        _ = other.on(.dialed)
        #expect(other.on(.helloRead(sni: try name("else.test"))) == [.tunnel])
    }
}

@Test("where HTTP/1.1 is to be spoken the origin is offered nothing else")
func onlyHTTP1() throws {
    let attack = Attack.oldTLS
    var machine = try machine(.attack(attack, attack.variants[0], only: []))
    _ = machine.on(.tunnelAsked(try endpoint("api.test:443")))
    _ = machine.on(.dialed)
    #expect(
        machine.on(.helloRead(sni: nil))
            == [.handshakeWithOrigin(sni: nil, verifying: try name("api.test"), offering: .http1)])
}

@Test("a plain request for a host that others are redirected to goes to https, without a dial")
func plainRedirect() throws {
    let attack = Attack.redirect
    var machine = try machine(.attack(attack, attack.variants[0], only: []))
    #expect(machine.on(.requestAsked(try endpoint("api.test:80"))) == [.redirectToTLS(try name("api.test"))])
    #expect(machine.on(.dialed) == [])
    var other = try ConnectionMachineTests.fresh(.attack(attack, attack.variants[0], only: []))
    #expect(other.on(.requestAsked(try endpoint("else.test:80"))) == [.dial(try endpoint("else.test:80"))])
}

private enum ConnectionMachineTests {
    static func fresh(_ phase: Plan.Phase = .passthrough) throws -> ConnectionMachine { try machine(phase) }
}

@Test("what is no client's is neither forged for nor redirected, and a client's is")
func attribution() throws {
    let rule = HostRule(pattern: try #require(HostPattern("api.test")), expect: .refuse)
    let profile = Profile(name: "p", rules: [rule], clients: [ClientRule(name: "phone")])
    for client in [nil, "phone"] {
        var attacked = ConnectionMachine(plan: Plan(profile: profile, phase: .attack(.expired, expired, only: [])))
        attacked.client = client
        _ = attacked.on(.tunnelAsked(try endpoint("api.test:443")))
        _ = attacked.on(.dialed)
        let met = attacked.on(.helloRead(sni: try name("api.test")))
        #expect((met == [.tunnel]) == (client == nil))

        let redirect = Plan.Phase.attack(.redirect, Attack.redirect.variants[0], only: [])
        var plain = ConnectionMachine(plan: Plan(profile: profile, phase: redirect))
        plain.client = client
        let asked = try endpoint("api.test:80")
        #expect(plain.on(.requestAsked(asked)) == (client == nil ? [.dial(asked)] : [.redirectToTLS(asked.host)]))
    }
}
