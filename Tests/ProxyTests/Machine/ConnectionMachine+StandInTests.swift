import Facts
import Policy
import Testing

@testable import Proxy

/// Whoever intercepts needs no server: a client that asks where none is to be had is attacked all the same.
@Suite("ConnectionMachine+StandIn", .timeLimit(.minutes(15)))
struct ConnectionMachineStandInTests {
    private let trustedCA = Attack.trustedCA.variants[0]
    private var attacked: Plan.Phase { .attack(.trustedCA, trustedCA, only: []) }

    @Test("a port where nobody listens is attacked by what its host has shown elsewhere")
    func closedPort() throws {
        let host = try name("api.test")
        var play = try Playbook(attacked)
        play.on(.tunnelAsked(.init(target: try endpoint("api.test:8443"))))
        let fault = ConnectionMachine.Fault.unreachable("connection refused")
        play.on(.dialFailed("connection refused"), expect: [.dropOrigin, .askStandIn(host, for: .trial)])
        play.on(.standInTold(isKnown: true), expect: [.noteLacking(fault), .confirm, .readHello])
        play.on(.helloRead(sni: host), expect: [.dropOrigin, .askStandIn(host, for: .run)])
        play.on(.standInTold(isKnown: true), expect: [.standIn(for: host, fault)])
        play.on(.originReady, expect: [.present(.trustedCA, trustedCA, for: host, beginsSession: false)])
        play.on(.presented(.never, sessionHost: nil), expect: [.takeLeaveOfOrigin, .resume(.client), .replayHello])
    }

    @Test("a host that has shown nothing, or is not attacked, is told that its server is not there")
    func unknown() throws {
        for (target, asks) in [("api.test:8443", true), ("cdn.test:8443", false)] {
            var play = try Playbook(attacked)
            play.on(.tunnelAsked(.init(target: try endpoint(target))))
            let gone: [ConnectionMachine.Action] = [.turnAway(.unreachable("connection refused"))] + drained
            guard asks else {
                play.on(.dialFailed("connection refused"), expect: gone)
                continue
            }
            play.on(
                .dialFailed("connection refused"),
                expect: [.dropOrigin, .askStandIn(try name("api.test"), for: .trial)])
            play.on(.standInTold(isKnown: false), expect: gone)
        }
    }

    @Test("in a tunnel that stands without an origin nobody else is let through")
    func otherHost() throws {
        let gone: [ConnectionMachine.Action] = [.turnAway(.unreachable("connection refused"))] + drained
        for event in [ConnectionMachine.Event.helloRead(sni: try name("cdn.test")), .otherProtocolCame, .nothingSaid] {
            var play = try Playbook(attacked)
            play.on(.tunnelAsked(.init(target: try endpoint("api.test:8443"))))
            play.on(.dialFailed("connection refused"))
            play.on(.standInTold(isKnown: true))
            play.on(event, expect: gone)
        }
    }

    @Test(
        "an origin that refuses this client, leaves, or is lost is stood in for",
        arguments: ["refused", "left", "lost"])
    func refusing(way: String) throws {
        let host = try name("api.test")
        var play = try Playbook(attacked)
        try play.connect()
        play.on(.helloRead(sni: host))
        let events: [String: (ConnectionMachine.Event, ConnectionMachine.Fault)] = [
            "refused": (.originFailed("no_application_protocol"), .originRefused("no_application_protocol")),
            "left": (.ended(.origin), .originRefused("it closed the connection during the handshake")),
            "lost": (.failed(.origin, "reset"), .originRefused("connection lost: reset")),
        ]
        let (event, fault) = try #require(events[way])
        play.on(event, expect: [.dropOrigin, .askStandIn(host, for: .run)])
        play.on(.standInTold(isKnown: true), expect: [.standIn(for: host, fault)])
        play.on(.originReady, expect: [.present(.trustedCA, trustedCA, for: host, beginsSession: false)])
    }

    @Test("untouched, debugging, and under a key that the client pins, an origin that is not there is not there")
    func neverElse() throws {
        let lent = try #require(Attack.lentKey.variants.first)
        for phase in [Plan.Phase.passthrough, .debugging, .attack(.lentKey, lent, only: [])] {
            var play = try Playbook(phase, lent: true)
            play.on(.tunnelAsked(.init(target: try endpoint("api.test:8443"))))
            play.on(
                .dialFailed("connection refused"), expect: [.turnAway(.unreachable("connection refused"))] + drained)
        }
    }

    @Test("an address, and whoever counts connections, meets at a closed port what it meets untouched")
    func asUntouched() throws {
        let later = try #require(Attack.laterConnection.variants.first)
        let gone: [ConnectionMachine.Action] = [.turnAway(.unreachable("connection refused"))] + drained
        for (phase, target) in [
            (attacked, "127.0.0.1:8443"), (.attack(.laterConnection, later, only: []), "api.test:8443"),
        ] {
            var play = try Playbook(phase)
            play.on(.tunnelAsked(.init(target: try endpoint(target))))
            play.on(.dialFailed("connection refused"), expect: gone)
        }
    }

    @Test("a client that has gone is not stood in for")
    func gone() throws {
        var play = try Playbook(attacked)
        play.on(.tunnelAsked(.init(target: try endpoint("api.test:8443"))))
        play.machine.isTold = true
        play.on(.ended(.client))
        play.on(.dialFailed("connection refused"), expect: [.turnAway(.unreachable("connection refused"))] + drained)
    }
}
