import Facts
import Policy
import Testing

@testable import Proxy

/// How a tunnel begins: by name, or to an address where the profile says of names where they live.
@Suite("ConnectionMachine+Tunnels")
struct ConnectionMachineTunnelsTests {
    private let attacking = Plan.Phase.attack(.expired, Attack.expired.variants[0], only: [])

    /// CONNECT to an address that may not be the one.
    private func listening(_ phase: Plan.Phase = .passthrough) throws -> Playbook {
        var play = try Playbook(phase)
        play.on(
            .tunnelAsked(.init(target: try endpoint("192.0.2.7:443"), mayBeNamed: true)),
            expect: [.confirm, .readHello])
        return play
    }

    @Test("the name in the ClientHello says where it goes, before the address is called")
    func named() throws {
        var play = try listening()
        play.on(.helloRead(sni: try name("api.test")), expect: [.dial(try endpoint("127.0.0.1:9443"))])
        play.on(.dialed, expect: [.tunnel])
        var attacked = try listening(attacking)
        let host = try name("api.test")
        attacked.on(.helloRead(sni: host), expect: [.dial(try endpoint("127.0.0.1:9443"))])
        attacked.on(.dialed, expect: [.handshakeWithOrigin(sni: host, verifying: host, offering: .all)])
    }

    @Test("a name of which the profile says nothing, or none, leads to the address")
    func unknownName() throws {
        for sni in [try name("cdn.test"), try name("else.test"), nil] {
            var play = try listening()
            play.on(.helloRead(sni: sni), expect: [.dial(try endpoint("192.0.2.7:443"))])
            play.on(.dialed, expect: [.tunnel])
        }
    }

    @Test("who says nothing, or speaks something else, is brought to the address, and told nothing twice")
    func otherProtocols() throws {
        for event in [ConnectionMachine.Event.nothingSaid, .otherProtocolCame] {
            var play = try listening()
            play.on(event, expect: [.dial(try endpoint("192.0.2.7:443"))])
            play.on(.dialed, expect: [.readHello])
            play.on(.otherProtocolCame, expect: [.tunnel])
        }
    }

    @Test("who was slow to say a name still gets there: the address was called, and nothing was said to it")
    func slow() throws {
        var play = try listening()
        play.on(.nothingSaid)
        play.on(.dialed)
        play.on(
            .helloRead(sni: try name("api.test")), expect: [.dropOrigin, .dial(try endpoint("127.0.0.1:9443"))])
        play.on(.dialed, expect: [.tunnel])
    }

    @Test("who says something else and half-closes while the address is called is heard, and may read the answer")
    func halfClosed() throws {
        let noted = ConnectionMachine.Action.noteClose(.client, .fin)
        for event in [ConnectionMachine.Event.nothingSaid, .otherProtocolCame] {
            var play = try listening()
            play.on(event)
            play.on(.ended(.client), expect: [noted])
            play.on(.dialed, expect: [.readHello, .weighEnds])
            play.on(.otherProtocolCame, expect: [.tunnel, .end(.origin), .weighEnds])
            play.on(.endsWeighed, expect: [])
            play.on(.ended(.origin), expect: [.end(.client), .weighEnds])
            play.on(.endsWeighed, expect: [.finish])
        }
    }

    @Test("who half-closes while the address is called, having said nothing or a ClientHello, is gone")
    func goneWhileCalled() throws {
        for last in [ConnectionMachine.Event.endsWeighed, .helloRead(sni: nil)] {
            var play = try listening()
            play.on(.nothingSaid)
            play.on(.ended(.client), expect: [.noteClose(.client, .fin)])
            play.on(.dialed, expect: [.readHello, .weighEnds])
            play.on(last, expect: [.noteDelivery, .finish])
        }
    }

    @Test("a name that CONNECT asked for is called at once, whatever the ClientHello says")
    func byName() throws {
        var play = try Playbook()
        play.on(
            .tunnelAsked(.init(target: try endpoint("else.test:443"))),
            expect: [.dial(try endpoint("else.test:443"))])
        play.on(.dialed, expect: [.confirm, .readHello])
        play.on(.helloRead(sni: try name("api.test")), expect: [.tunnel])
    }

    @Test("one that cannot be reached is turned away, and a client that goes or stays too long is gone")
    func ends() throws {
        var play = try listening()
        play.on(.helloRead(sni: try name("api.test")))
        play.on(.dialFailed("refused"), expect: [.turnAway(.unreachable("refused"))] + drained)
        #expect(play.machine.isTold)
        var gone = try listening()
        gone.on(.ended(.client), expect: [.noteDelivery, .noteClose(.client, .fin), .finish])
        var slow = try listening()
        #expect(slow.machine.isUndecided(slow.now + 1.9) && !slow.machine.isUndecided(slow.now + 2.1))
        slow.on(.ticked, after: Patience.hello, expect: [])
        slow.on(.ticked, after: 1, expect: [.noteDelivery, .noteClose(.proxy, .timeout), .finish])
    }

    @Test("the first CONNECT is refused where an attack begins so, and the next one goes its way")
    func refusedConnect() throws {
        let attack = Attack.laterConnection
        let (host, target) = (try name("api.test"), try endpoint("api.test:443"))
        for variant in attack.variants {
            guard let refusal = variant.conduct.connectRefusal else { continue }
            var play = try Playbook(.attack(attack, variant, only: []))
            play.on(.tunnelAsked(.init(target: target)), expect: [.askOnset(host, variant.conduct.onset)])
            let refused = play.on(.onsetTold(isSpared: true))
            #expect(refused.first == .refuseConnect(attack, variant, refusal))
            #expect(refused.contains(.noteClose(.proxy, .fin)) == (refusal != .silence))
            var next = try Playbook(.attack(attack, variant, only: []))
            next.on(.tunnelAsked(.init(target: target)))
            next.on(.onsetTold(isSpared: false), expect: [.dial(try endpoint("127.0.0.1:9443"))])
            next.on(.dialed)
            next.on(.helloRead(sni: host), expect: [.askOnset(host, variant.conduct.onset)])
            // Another host's is nobody's business.
            var other = try Playbook(.attack(attack, variant, only: []))
            other.on(
                .tunnelAsked(.init(target: try endpoint("else.test:443"))),
                expect: [.dial(try endpoint("else.test:443"))])
        }
    }
}
