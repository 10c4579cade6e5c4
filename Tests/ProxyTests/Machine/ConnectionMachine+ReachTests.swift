import Facts
import Policy
import Testing

@testable import Proxy

/// Hosts that a trial cuts off.
@Suite struct ConnectionMachineReachTests {
    @Test("where the other hosts are cut off, what has to refuse is reached, and nothing else")
    func cutOff() throws {
        let variant = try #require(Attack.trustedCA.variants.first { $0.name == "others-unreachable" })
        let phase = Plan.Phase.attack(.trustedCA, variant, only: [])
        let why = ConnectionMachine.Fault.unreachable("in this trial only hosts that have to refuse can be reached")
        var play = try Playbook(phase)
        play.on(.tunnelAsked(.init(target: try endpoint("cdn.test:443"))), expect: [.turnAway(why)] + drained)
        play = try Playbook(phase)
        play.on(
            .tunnelAsked(.init(target: try endpoint("api.test:443"))), expect: [.dial(try endpoint("127.0.0.1:9443"))])
        // A bare address may be anybody's: its ClientHello tells.
        play = try Playbook(phase)
        play.on(
            .tunnelAsked(.init(target: try endpoint("192.0.2.7:443"))), expect: [.dial(try endpoint("192.0.2.7:443"))])
        play.on(.dialed)
        play.on(.helloRead(sni: try name("cdn.test")), expect: [.turnAway(why)] + drained)
    }

    @Test("an outage before the attack meets a host by its address as well, where it is known to live there")
    func refusedByAddress() throws {
        let variant = try #require(Attack.laterConnection.variants.first { $0.name == "after-502" })
        let (address, api) = (try endpoint("192.0.2.7:443"), try name("api.test"))
        for home in [api, nil] {
            var play = try Playbook(.attack(.laterConnection, variant, only: []))
            guard let home else {
                play.on(.tunnelAsked(.init(target: address)), expect: [.dial(address)])
                continue
            }
            play.on(.tunnelAsked(.init(target: address, home: home)), expect: [.askOnset(home, variant.conduct.onset)])
            play.on(
                .onsetTold(isSpared: true),
                expect: [
                    .refuseConnect(.laterConnection, variant, .badGateway), .noteClose(.proxy, .fin),
                ] + drained)
        }
    }
}
