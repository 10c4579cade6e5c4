import Facts
import Policy
import Testing

@testable import Proxy

private let expired = Attack.expired.variants[0]
private let attacking = Plan.Phase.attack(.expired, expired, only: [])

@Suite("ConnectionMachine")
struct ConnectionMachineTests {
    @Test("an attacked CONNECT is dialed, confirmed, checked upstream, and only then met with the forged chain")
    func attacked() throws {
        var play = try Playbook(attacking)
        let host = try name("api.test")
        play.on(
            .tunnelAsked(.init(target: try endpoint("api.test:443"))), expect: [.dial(try endpoint("127.0.0.1:9443"))])
        play.on(.dialed, expect: [.confirm, .readHello])
        play.on(
            .helloRead(sni: host), expect: [.handshakeWithOrigin(sni: host, verifying: host, offering: .all)])
        play.on(.originReady, expect: [.present(.expired, expired, for: host, beginsSession: false)])
        play.on(.presented(.relayed, sessionHost: nil), expect: [.resume(.client), .replayHello])
        play.on(.flightSent, expect: [])
        play.on(.clientFinished(speaksHTTP2: false), expect: [.relay(greets: false)])
        play.on(.relayBegan, expect: [])
    }

    @Test("an origin that does not verify is told to the client, never accepted")
    func originRefused() throws {
        var play = try Playbook(attacking)
        try play.connect()
        play.on(.helloRead(sni: try name("api.test")))
        play.on(
            .originFailed("certificate has expired"),
            expect: [.dropOrigin, .askStandIn(try name("api.test"), for: .run)])
        play.on(
            .standInTold(isKnown: false),
            expect: [.turnAway(.originRefused("certificate has expired"))] + drained)
        play.on(.originReady, expect: [])
        play.on(.clientFinished(speaksHTTP2: false), expect: [])
    }

    @Test("a chain that cannot be made is told to the client")
    func cannotPresent() throws {
        var play = try Playbook(attacking)
        try play.connect()
        play.on(.helloRead(sni: try name("api.test")))
        play.on(.originReady)
        play.on(.presentFailed("no"), expect: [.turnAway(.cannotPresent("no"))] + drained)
    }

    @Test("where SNI and CONNECT differ the SNI is judged and verified, and CONNECT's target is dialed")
    func sniDiffers() throws {
        var play = try Playbook(attacking)
        let host = try name("api.test")
        play.on(
            .tunnelAsked(.init(target: try endpoint("other.test:8443"))),
            expect: [.dial(try endpoint("other.test:8443"))])
        play.on(.dialed)
        play.on(
            .helloRead(sni: host), expect: [.handshakeWithOrigin(sni: host, verifying: host, offering: .all)])
    }

    @Test("without SNI the CONNECT name is judged and verified, and no SNI goes to the origin")
    func noSNI() throws {
        var play = try Playbook(attacking)
        try play.connect()
        play.on(
            .helloRead(sni: nil),
            expect: [.handshakeWithOrigin(sni: nil, verifying: try name("api.test"), offering: .all)])
    }

    @Test("in passthrough, and for hosts nobody attacks, bytes are copied")
    func tunnelled() throws {
        for phase in [Plan.Phase.passthrough, attacking] {
            var play = try Playbook(phase)
            try play.connect(to: phase == .passthrough ? "api.test:443" : "else.test:443")
            play.on(.helloRead(sni: nil), expect: [.tunnel])
        }
    }

    @Test("TLS without CONNECT goes by its SNI, and is turned away without one")
    func byName() throws {
        var play = try Playbook()
        play.on(.helloCame, expect: [.readHello])
        play.on(.helloRead(sni: try name("else.test")), expect: [.dial(try endpoint("else.test:443"))])
        play.on(.dialed, expect: [.tunnel])
        var nameless = try Playbook()
        nameless.on(.helloCame)
        nameless.on(.helloRead(sni: nil), expect: [.turnAway(.nameless)] + drained)
    }

    @Test("a client that was redirected here goes where it wanted to go, whatever its SNI")
    func transparent() throws {
        let wanted = try endpoint("192.0.2.7:8443")
        var play = try Playbook(attacking, originalDestination: wanted)
        play.on(.helloCame, expect: [.dial(wanted)])
        play.on(.dialed, expect: [.confirm, .readHello])
        let host = try name("api.test")
        play.on(
            .helloRead(sni: host), expect: [.handshakeWithOrigin(sni: host, verifying: host, offering: .all)])
        var nameless = try Playbook(attacking, originalDestination: wanted)
        nameless.on(.helloCame)
        nameless.on(.dialed)
        nameless.on(.helloRead(sni: nil), expect: [.tunnel])
    }

    @Test("an unreachable origin is told before the tunnel is confirmed")
    func unreachable() throws {
        var play = try Playbook()
        play.on(.tunnelAsked(.init(target: try endpoint("api.test:443"))))
        play.on(.dialFailed("connection refused"), expect: [.turnAway(.unreachable("connection refused"))] + drained)
        play.on(.dialed, expect: [])
    }

    @Test("plain HTTP is forwarded, and what is no TLS after CONNECT is copied")
    func cleartext() throws {
        var play = try Playbook(attacking)
        play.on(
            .requestAsked(.init(target: try endpoint("else.test:80"))), expect: [.dial(try endpoint("else.test:80"))])
        play.on(.dialed, expect: [.forward])
        var tunnel = try Playbook()
        try tunnel.connect(to: "else.test:22")
        tunnel.on(.otherProtocolCame, expect: [.tunnel])
        var direct = try Playbook()
        direct.on(.helloCame)
        direct.on(.otherProtocolCame, expect: [.turnAway(.nameless)] + drained)
    }

    @Test("an origin that ends before its client has begun is copied to its end", arguments: [false, true])
    func originEndsFirst(isReset: Bool) throws {
        var play = try Playbook(.debugging)
        try play.connect(to: "else.test:22")
        let actions = play.on(isReset ? .failed(.origin, "reset") : .ended(.origin))
        #expect(
            actions == (isReset ? [.dropOrigin] : []) + [
                .tunnel, .noteClose(.origin, isReset ? .rst : .fin), .end(.client), .weighEnds,
            ])
    }

    @Test("a server name that is no host name is turned away as such, after CONNECT and without")
    func invalidName() throws {
        var play = try Playbook(attacking)
        try play.connect()
        play.on(.invalidNameRead, expect: [.turnAway(.invalidName)] + drained)
        var direct = try Playbook()
        direct.on(.helloCame)
        direct.on(.invalidNameRead, expect: [.turnAway(.invalidName)] + drained)
    }

    @Test("before the onset of its attack a host is tunnelled, by CONNECT and by name; after it, attacked")
    func spared() throws {
        let attack = Attack.laterConnection
        let phase = Plan.Phase.attack(attack, attack.variants[0], only: [])
        let host = try name("api.test")
        let onset = attack.variants[0].conduct.onset
        var play = try Playbook(phase)
        try play.connect()
        play.on(.helloRead(sni: host), expect: [.askOnset(host, onset)])
        play.on(.onsetTold(isSpared: true), expect: [.tunnel])
        var named = try Playbook(phase)
        named.on(.helloCame)
        named.on(.helloRead(sni: host), expect: [.askOnset(host, onset)])
        named.on(.onsetTold(isSpared: true), expect: [.dial(try endpoint("127.0.0.1:9443"))])
        named.on(.dialed, expect: [.tunnel])
        var later = try Playbook(phase)
        try later.connect()
        later.on(.helloRead(sni: host))
        later.on(
            .onsetTold(isSpared: false),
            expect: [.handshakeWithOrigin(sni: host, verifying: host, offering: .all)])
    }

    @Test("what is no client's neither counts for an onset nor is cut")
    func strangersOnset() throws {
        let attack = Attack.laterConnection
        for variant in attack.variants {
            var play = try Playbook(.attack(attack, variant, only: []), clients: [ClientRule(name: "phone")])
            try play.connect()
            play.on(.helloRead(sni: try name("api.test")), expect: [.tunnel])
            play.on(.requestSeen, expect: [])
        }
    }

    @Test("before the onset that an outage has, the connection is reset; the ones after it are attacked")
    func outage() throws {
        let attack = Attack.laterConnection
        let variant = try #require(attack.variants.first { $0.name == "after-reset" })
        let host = try name("api.test")
        for isSpared in [true, false] {
            var play = try Playbook(.attack(attack, variant, only: []))
            try play.connect()
            play.on(.helloRead(sni: host))
            play.on(
                .onsetTold(isSpared: isSpared),
                expect: isSpared
                    ? [.refuseTLS(attack, variant), .dropOrigin, .noteClose(.proxy, .rst), .reset, .finish]
                    : [.handshakeWithOrigin(sni: host, verifying: host, offering: variant.conduct.protocols)])
        }
    }

    @Test("a spared tunnel that is to lose its answer is cut off when it has asked, and no other")
    func lostAnswer() throws {
        let attack = Attack.laterConnection
        let variant = try #require(attack.variants.first { $0.conduct.onset == .afterLostAnswer })
        var play = try Playbook(.attack(attack, variant, only: []))
        try play.connect()
        play.on(.helloRead(sni: try name("api.test")))
        play.on(.onsetTold(isSpared: true), expect: [.tunnel])
        play.on(.requestSeen, expect: [.dropOrigin, .noteClose(.proxy, .fin)] + drained)
        var tunnel = try Playbook.tunnelling()
        tunnel.on(.requestSeen, expect: [])
    }

    @Test("behind other bytes a ClientHello is decided on as any other is, and within TLS none is looked for")
    func lateHello() throws {
        let host = try name("api.test")
        let attack = [ConnectionMachine.Action.handshakeWithOrigin(sni: host, verifying: host, offering: .all)]
        var play = try Playbook(attacking)
        try play.connect()
        play.on(.otherProtocolCame, expect: [.tunnel])
        play.on(.helloRead(sni: host), expect: attack)
        var other = try Playbook(attacking)
        try other.connect()
        other.on(.otherProtocolCame)
        other.on(.helloRead(sni: try name("else.test")), expect: [.tunnel])
        // It is TLS now, and nothing within it is a hello any more.
        other.on(.helloRead(sni: host), expect: [])
        var invalid = try Playbook(attacking)
        try invalid.connect()
        invalid.on(.otherProtocolCame)
        invalid.on(.invalidNameRead, expect: [.turnAway(.invalidName)] + drained)
    }

    @Test("an address is the host's that is known to live there, where no name says another")
    func byAddress() throws {
        let (host, address) = (try name("api.test"), try name("127.0.0.1"))
        for sni in [nil, address] {
            var play = try Playbook(attacking)
            play.on(.tunnelAsked(.init(target: try endpoint("127.0.0.1:9443"))))
            play.on(.dialed)
            play.on(
                .helloRead(sni: sni, home: host),
                expect: [.handshakeWithOrigin(sni: sni, verifying: host, offering: .all)])
        }
        var unknown = try Playbook(attacking)
        unknown.on(.tunnelAsked(.init(target: try endpoint("127.0.0.1:9443"))))
        unknown.on(.dialed)
        unknown.on(.helloRead(sni: nil), expect: [.tunnel])
    }

    @Test("a tunnel whose answer is not to come goes silent when it has asked, and stays open")
    func noAnswer() throws {
        let attack = Attack.laterConnection
        let variant = try #require(attack.variants.first { $0.conduct.onset == .afterNoAnswer })
        var play = try Playbook(.attack(attack, variant, only: []))
        try play.connect()
        play.on(.helloRead(sni: try name("api.test")))
        play.on(.onsetTold(isSpared: true), expect: [.tunnel])
        play.on(.requestSeen, expect: [.dropOrigin, .resume(.client)])
        play.on(.ticked, after: Patience.silence - 1, expect: [])
        #expect(play.on(.ticked, after: 2).last == .finish)
    }

    @Test("a server without TLS refuses it as soon as it is asked, and nothing follows")
    func noTLS() throws {
        let attack = Attack.cleartextFallback
        for variant in attack.variants {
            var play = try Playbook(.attack(attack, variant, only: []))
            try play.connect()
            guard let refusal = variant.conduct.refusal else {
                play.on(.helloRead(sni: try name("api.test")), expect: [.tunnel])
                continue
            }
            let rest: [ConnectionMachine.Action] =
                switch refusal {
                case .reset: [.noteClose(.proxy, .rst), .reset, .finish]
                case .close: [.noteClose(.proxy, .fin)] + drained
                case .handshakeFailure: [.alert(.handshakeFailure), .noteClose(.proxy, .aborted)] + drained
                case .inappropriateFallback: [.alert(.inappropriateFallback), .noteClose(.proxy, .aborted)] + drained
                case .unrecognizedName: [.alert(.unrecognizedName), .noteClose(.proxy, .aborted)] + drained
                case .plainAnswer: [.answerInClear, .noteClose(.proxy, .fin)] + drained
                case .silence: [.resume(.client)]
                }
            play.on(.helloRead(sni: try name("api.test")), expect: [.refuseTLS(attack, variant), .dropOrigin] + rest)
            play.on(.originReady, expect: [])
            play.on(.clientFinished(speaksHTTP2: false), expect: [])
            var other = try Playbook(.attack(attack, variant, only: []))
            try other.connect(to: "else.test:443")
            other.on(.helloRead(sni: try name("else.test")), expect: [.tunnel])
        }
    }

    @Test("where HTTP/1.1 is to be spoken the origin is offered nothing else")
    func onlyHTTP1() throws {
        let attack = Attack.oldTLS
        var play = try Playbook(.attack(attack, attack.variants[0], only: []))
        try play.connect()
        play.on(
            .helloRead(sni: nil),
            expect: [.handshakeWithOrigin(sni: nil, verifying: try name("api.test"), offering: .http1)])
    }

    @Test("a plain request for a host that others are redirected to goes to https, without a dial")
    func plainRedirect() throws {
        let attack = Attack.redirect
        let phase = Plan.Phase.attack(attack, attack.variants[0], only: [])
        var play = try Playbook(phase)
        play.on(
            .requestAsked(.init(target: try endpoint("api.test:80"))),
            expect: [.redirectToTLS("api.test"), .noteClose(.proxy, .fin)] + drained)
        play.on(.dialed, expect: [])
        var other = try Playbook(phase)
        other.on(
            .requestAsked(.init(target: try endpoint("else.test:80"))), expect: [.dial(try endpoint("else.test:80"))])
    }

    @Test("a client whom we answer ourselves is answered once it has asked, and left")
    func redirectAnswer() throws {
        var play = try Playbook.presenting(answer: .redirect)
        play.on(.clientFinished(speaksHTTP2: false), expect: [.relay(greets: false)])
        play.on(.relayBegan, expect: [])
        play.carried(.client, expect: [])
        play.carried(.origin, expect: [])
        play.on(.redirectSent, expect: [.noteClose(.proxy, .closeNotify), .sayGoodbye(.client)] + drained)
    }

    @Test("no origin stays behind a server that answers itself or never, and one of HTTP/2 greets")
    func leavesOrigin() throws {
        for answer in [Conduct.Answer.never, .redirect] {
            var play = try Playbook(.attack(.silentServer, Attack.silentServer.variants[0], only: []))
            try play.connect()
            play.on(.helloRead(sni: nil))
            play.on(.originReady)
            play.on(
                .presented(answer, sessionHost: nil), expect: [.takeLeaveOfOrigin, .resume(.client), .replayHello])
            play.on(.clientFinished(speaksHTTP2: true), expect: [.relay(greets: answer == .never)])
        }
    }

    @Test("a session begins under the lent key where none stands, and is reported once it has carried both ways")
    func lentSession() throws {
        let attack = Attack.resumedSession
        let variant = try #require(attack.variants.first { $0.beginsUnderLentKey })
        let host = try name("api.test")
        let lent = Attack.lentKey.variants[0].behaving(as: variant.conduct)
        for stands in [true, false] {
            var play = try Playbook(.attack(attack, variant, only: []), lent: true)
            try play.connect()
            play.on(.helloRead(sni: host))
            play.on(.originReady, expect: [.askSession(host)])
            play.on(
                .sessionTold(stands: stands),
                expect: [
                    stands
                        ? .present(attack, variant, for: host, beginsSession: false)
                        : .present(.lentKey, lent, for: host, beginsSession: true)
                ])
        }
        var play = try Playbook.relaying(http2: true, sessionHost: host)
        play.carried(.origin, expect: [])
        play.carried(.client, expect: [])
        play.carried(.origin, expect: [.reportSession(host)])
        play.carried(.origin, expect: [])
    }

    @Test("what is no client's is neither forged for nor redirected, and a client's is")
    func attribution() throws {
        for client in [nil, "phone"] {
            var attacked = try Playbook(attacking, clients: [ClientRule(name: "phone")])
            attacked.machine.clientName = client
            try attacked.connect()
            #expect((attacked.on(.helloRead(sni: try name("api.test"))) == [.tunnel]) == (client == nil))

            let redirect = Plan.Phase.attack(.redirect, Attack.redirect.variants[0], only: [])
            var plain = try Playbook(redirect, clients: [ClientRule(name: "phone")])
            plain.machine.clientName = client
            let actions = plain.on(.requestAsked(.init(target: try endpoint("api.test:80"))))
            #expect(
                actions.first
                    == (client == nil ? .dial(try endpoint("127.0.0.1:9443")) : .redirectToTLS("api.test")))
        }
    }
}
