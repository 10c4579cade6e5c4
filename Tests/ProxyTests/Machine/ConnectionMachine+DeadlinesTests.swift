import Facts
import Policy
import Testing

@testable import Proxy

@Suite("ConnectionMachine+Deadlines")
struct ConnectionMachineDeadlinesTests {
    private typealias Action = ConnectionMachine.Action
    private let timedOut: [Action] = [.noteDelivery, .noteClose(.proxy, .timeout), .finish]

    /// A byte every 0.9 s, and a look at the clock after each, until it acts.
    private func trickle(_ play: inout Playbook, until limit: Double) -> [Action] {
        let start = play.now
        while play.now - start <= limit + 2 {
            play.received(after: 0.9)
            let actions = play.on(.ticked)
            guard actions.isEmpty else {
                #expect(play.now - start > limit)
                return actions
            }
        }
        return []
    }

    @Test("who says nothing before a request or a ClientHello makes room for those who wait, after a while")
    func makesRoom() throws {
        let play = try Playbook()
        #expect(!play.machine.mayMakeRoom(play.now + Patience.whileOthersWait - 1))
        #expect(play.machine.mayMakeRoom(play.now + Patience.whileOthersWait + 1))
        var tunnel = try Playbook()
        try tunnel.connect()
        #expect(tunnel.machine.mayMakeRoom(tunnel.now + Patience.whileOthersWait + 1))
        tunnel.on(.helloRead(sni: try name("api.test")))
        #expect(!tunnel.machine.mayMakeRoom(tunnel.now + 1000))
    }

    @Test("a request that comes byte by byte is not waited for longer than one that does not come")
    func request() throws {
        var play = try Playbook()
        #expect(trickle(&play, until: Patience.request) == timedOut)
        var silent = try Playbook()
        silent.on(.ticked, after: Patience.request, expect: [])
        silent.on(.ticked, after: 1, expect: timedOut)
    }

    @Test("a ClientHello has a time of its own, from when it could begin")
    func hello() throws {
        var play = try Playbook()
        play.on(.tunnelAsked(.init(target: try endpoint("api.test:443"))), after: 50)
        play.on(.dialed)
        #expect(trickle(&play, until: Patience.hello) == timedOut)
    }

    @Test("an origin that shakes hands byte by byte is given up, and the client told")
    func originHandshake() throws {
        var play = try Playbook(.attack(.expired, Attack.expired.variants[0], only: []))
        try play.connect()
        play.on(.helloRead(sni: nil))
        #expect(
            trickle(&play, until: Patience.originHandshake) == [
                .dropOrigin, .askStandIn(try name("api.test"), for: .run),
            ])
        let actions = play.on(.standInTold(isKnown: false))
        #expect(actions == [.turnAway(.originRefused("no handshake within 20 s", isLate: true))] + drained)
    }

    @Test("an origin that cannot be called is given up, and the client told")
    func dialing() throws {
        var play = try Playbook()
        play.on(.tunnelAsked(.init(target: try endpoint("api.test:443"))))
        play.on(.ticked, after: Patience.dialing, expect: [])
        play.on(
            .ticked, after: 1, expect: [.turnAway(.unreachable("no connection within 60 s", isLate: true))] + drained)
    }

    @Test("a client has two minutes for its certificate check, whatever it sends meanwhile")
    func clientHandshake() throws {
        var play = try Playbook.presenting()
        #expect(trickle(&play, until: Patience.clientHandshake) == timedOut)
    }

    @Test("a server that says nothing does so for half a minute")
    func silence() throws {
        let attack = Attack.cleartextFallback
        let variant = try #require(attack.variants.first { $0.conduct.refusal == .silence })
        var play = try Playbook(.attack(attack, variant, only: []))
        try play.connect()
        play.on(.helloRead(sni: try name("api.test")))
        #expect(trickle(&play, until: Patience.silence) == timedOut)
    }

    @Test("a relay and a tunnel live as long as bytes come, half-closed ones shorter without")
    func idle() throws {
        for var play in [try Playbook.relaying(), try Playbook.tunnelling()] {
            play.carried(.client)
            play.on(.ticked, after: Patience.idle, expect: [])
            play.received()
            play.on(.ticked, after: Patience.idle, expect: [])
            play.on(.ended(.client))
            play.received(after: 1)
            play.on(.ticked, after: Patience.halfClosed, expect: [])
            play.on(.ticked, after: 1, expect: [.noteDelivery, .finish])
        }
    }

    @Test("in the debugging proxy silence ends nothing, whichever side has ended; handshakes and requests end as ever")
    func debuggingForEver() throws {
        let ever = 100 * 86_400.0
        var relay = try Playbook.debugging()
        relay.on(.ticked, after: ever, expect: [])
        relay.carried(.client)
        relay.on(.ended(.client))
        relay.on(.ticked, after: ever, expect: [])
        relay.on(.ended(.origin))
        relay.on(.endsWeighed, expect: [.weighDelivery])
        relay.on(.delivered, expect: [.finish])

        var half = try Playbook.debugging()
        half.carried(.client)
        half.on(.ended(.origin))
        half.on(.ticked, after: ever, expect: [])

        var other = try Playbook(.debugging)
        try other.connect()
        other.on(.otherProtocolCame, expect: [.tunnel])
        other.on(.ticked, after: ever, expect: [])

        var asking = try Playbook(.debugging)
        asking.on(.ticked, after: Patience.request, expect: [])
        #expect(!asking.on(.ticked, after: 1).isEmpty)
        var shaking = try Playbook(.debugging)
        try shaking.connect()
        shaking.on(.helloRead(sni: try name("api.test")))
        shaking.on(.ticked, after: Patience.originHandshake, expect: [])
        #expect(!shaking.on(.ticked, after: 1).isEmpty)
    }

    @Test("with --idle it ends after that time without a byte, half-closed or not")
    func debuggingIdle() throws {
        for endsFirst in [false, true] {
            var play = try Playbook.debugging(idleLimit: 40)
            play.carried(.client)
            if endsFirst { play.on(.ended(.client)) }
            play.on(.ticked, after: 40, expect: [])
            play.received()
            play.on(.ticked, after: 40, expect: [])
            #expect(play.on(.ticked, after: 1).last == .finish)
        }
    }

    @Test("a limit for the debugging proxy changes nothing in the gate")
    func gateIdle() throws {
        var play = try Playbook(idleLimit: 1)
        try play.connect()
        play.on(.helloRead(sni: try name("api.test")), expect: [.tunnel])
        play.on(.ticked, after: Patience.idle, expect: [])
        #expect(play.on(.ticked, after: 1).last == .finish)
    }

    @Test("a client that was told the end is not waited for long, however it goes on; one that reads slowly, longer")
    func draining() throws {
        var play = try Playbook()
        play.on(.requestRefused, expect: drained)
        #expect(trickle(&play, until: Patience.drain) == timedOut)
        var slow = try Playbook()
        slow.on(.requestRefused)
        slow.toClient = 1
        slow.on(.ticked, after: Patience.drainBacklog, expect: [])
        slow.toClient = 0
        slow.on(.drained(.client), expect: [])
        slow.on(.ticked, after: Patience.drain, expect: [])
        slow.on(.ticked, after: 1, expect: timedOut)
    }

    // MARK: What may still show something

    @Test("a connection that has not asked is waited for a moment, one that goes on after a request not at all")
    func undecidedBeforeRequest() throws {
        let play = try Playbook()
        #expect(play.machine.isUndecided(play.now + 1.9) && !play.machine.isUndecided(play.now + 2.1))
        #expect(!(try Playbook(isContinued: true).machine.isUndecided(1000)))
    }

    @Test("an attacked client is waited for until it has said something, or had ten seconds after our certificate")
    func undecidedUnderAttack() throws {
        var play = try Playbook.presenting()
        #expect(play.machine.isUndecided(play.now + 9.9) && !play.machine.isUndecided(play.now + 10.1))
        play.on(.clientFinished(speaksHTTP2: false), after: 3)
        #expect(play.machine.isUndecided(play.now + 6.9) && !play.machine.isUndecided(play.now + 7.1))
        play.carried(.client)
        #expect(!play.machine.isUndecided(play.now))
    }

    @Test("a spared tunnel that is to be closed when it has worked is, once it is quiet, and no other")
    func cut() throws {
        let attack = Attack.laterConnection
        let ways: [(Conduct.Cut, [ConnectionMachine.Action])] = [
            (.end, [.noteCut, .dropOrigin, .noteClose(.proxy, .fin)] + drained),
            (.reset, [.noteCut, .dropOrigin, .noteClose(.proxy, .rst), .reset, .finish]),
        ]
        for (cut, actions) in ways {
            let variant = try #require(attack.variants.first { $0.conduct.onset == .afterCut(cut) })
            var play = try Playbook(.attack(attack, variant, only: []))
            try play.connect()
            play.on(.helloRead(sni: try name("api.test")))
            play.on(.onsetTold(isSpared: true), expect: [.tunnel])
            // Not before it was answered, nor while something comes or is on its way.
            play.on(.ticked, after: 5, expect: [])
            play.on(.sawData, expect: [.decided])
            play.received(after: 0.75)
            play.on(.ticked, after: 0.5, expect: [])
            play.toClient = 1
            play.on(.ticked, after: 0.5, expect: [])
            play.toClient = 0
            play.on(.ticked, expect: actions)
        }
        var tunnel = try Playbook.tunnelling()
        tunnel.on(.sawData)
        tunnel.on(.ticked, after: 5, expect: [])
    }

    @Test("a spared tunnel that is to be closed unused is, once it rests, and not when it was asked something")
    func cutUnused() throws {
        let attack = Attack.laterConnection
        let variant = try #require(attack.variants.first { $0.conduct.onset == .afterCut(.unused) })
        for isAsked in [false, true] {
            var play = try Playbook(.attack(attack, variant, only: []))
            try play.connect()
            play.on(.helloRead(sni: try name("api.test")))
            play.on(.onsetTold(isSpared: true), expect: [.tunnel])
            play.received(after: 0.25)
            play.on(.ticked, after: 0.75, expect: [])
            if isAsked { play.on(.requestSeen, expect: []) }
            play.on(
                .ticked, after: 0.5,
                expect: isAsked ? [] : [.noteCut, .dropOrigin, .noteClose(.proxy, .fin)] + drained)
        }
    }

    @Test(
        "a tunnel of a host that matters is waited for until data has crossed; others a moment, other protocols never")
    func undecidedTunnel() throws {
        var play = try Playbook.tunnelling()
        #expect(play.machine.isUndecided(play.now + 9.9) && !play.machine.isUndecided(play.now + 10.1))
        play.on(.sawData, expect: [.decided])
        play.on(.sawData, expect: [])
        #expect(!play.machine.isUndecided(play.now))
        var ended = try Playbook.tunnelling()
        ended.on(.ended(.client))
        #expect(!ended.machine.isUndecided(ended.now + 2.1))
        var other = try Playbook()
        try other.connect(to: "else.test:443")
        other.on(.helloRead(sni: nil))
        #expect(other.machine.isUndecided(other.now + 1.9) && !other.machine.isUndecided(other.now + 2.1))
        var secureShell = try Playbook()
        try secureShell.connect(to: "else.test:22")
        secureShell.on(.otherProtocolCame)
        #expect(!secureShell.machine.isUndecided(secureShell.now))
    }
}
