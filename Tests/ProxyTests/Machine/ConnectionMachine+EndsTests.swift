import Facts
import Testing

@testable import Proxy

@Suite("ConnectionMachine+Ends")
struct ConnectionMachineEndsTests {
    private typealias Action = ConnectionMachine.Action

    // MARK: Ends

    @Test("a client that leaves before it was answered ends everything")
    func leavesEarly() throws {
        let left: [Action] = [.noteDelivery, .noteClose(.client, .fin), .finish]
        var request = try Playbook()
        request.on(.ended(.client), expect: left)
        var hello = try Playbook()
        hello.on(.helloCame)
        hello.on(.ended(.client), expect: left)
        var dialing = try Playbook()
        dialing.on(.tunnelAsked(.init(target: try endpoint("api.test:443"))))
        dialing.on(.ended(.client), expect: left)
        var presenting = try Playbook.presenting()
        presenting.on(.ended(.client), expect: left)
        presenting.on(.ended(.client), expect: [])
    }

    @Test("a client that leaves the handshake by a close_notify has ended the connection itself")
    func saysGoodbyeInHandshake() throws {
        var play = try Playbook.presenting()
        play.on(.saidGoodbye(.client), expect: [.noteClose(.client, .closeNotify)] + drained)
        play.on(.endsWeighed, expect: [])
        // How its socket goes after that is no other end.
        play.on(.failed(.client, "reset"), expect: [.noteDelivery, .finish])
        var debugging = try Playbook(.debugging)
        try debugging.connect()
        debugging.on(.helloRead(sni: try name("api.test")))
        debugging.on(.originReady)
        debugging.on(.presented(.relayed, sessionHost: nil))
        debugging.on(.flightSent)
        debugging.on(.saidGoodbye(.client), expect: [.noteClose(.client, .closeNotify)] + drained)
    }

    @Test("a plain request is whole without more from its client, which may still read the answer")
    func halfClosedRequest() throws {
        var play = try Playbook()
        play.on(.requestAsked(.init(target: try endpoint("else.test:80"))))
        play.on(.ended(.client), expect: [.noteClose(.client, .fin)])
        play.on(.dialed, expect: [.forward, .end(.origin), .weighEnds])
        play.on(.endsWeighed, expect: [])
        play.carried(.origin)
        play.on(.ended(.origin), expect: [.end(.client), .weighEnds])
        play.on(.endsWeighed, expect: [.finish])
    }

    @Test("a client that asked and closed its half still gets the answer; one that asked nothing waits for none")
    func halfClosed() throws {
        var asked = try Playbook.relaying()
        asked.carried(.client)
        asked.on(
            .ended(.client), expect: [.noteClose(.client, .fin), .sayGoodbye(.origin), .end(.origin), .weighEnds])
        asked.on(.endsWeighed, expect: [])
        asked.carried(.origin, expect: [])
        asked.toClient = 10
        asked.on(.ended(.origin), expect: [.end(.client), .weighEnds])
        asked.on(.endsWeighed, expect: [])
        asked.toClient = 0
        asked.on(.drained(.client), expect: [.resume(.origin), .resume(.client), .finish])
        var silent = try Playbook.relaying()
        silent.on(.ended(.client), expect: [.noteClose(.client, .fin), .finish])
    }

    @Test("in the debugging proxy a client that ended first is watched until it has taken its answer, or has not")
    func takesItsAnswer() throws {
        func answered() throws -> Playbook {
            var play = try Playbook.debugging()
            play.carried(.client)
            play.on(.ended(.client))
            play.carried(.origin)
            play.on(.ended(.origin), expect: [.end(.client), .weighEnds])
            play.on(.endsWeighed, expect: [.weighDelivery])
            return play
        }
        var patient = try answered()
        patient.on(.ticked, after: 1, expect: [.weighDelivery])
        patient.on(.delivered, expect: [.finish])
        var gone = try answered()
        gone.on(.failed(.client, "broken pipe"), expect: [.noteDelivery, .finish])
        var silent = try answered()
        silent.on(.ticked, after: 29, expect: [.weighDelivery])
        silent.received()
        silent.on(.ticked, after: 29, expect: [.weighDelivery])
        silent.on(.ticked, after: 2, expect: [.noteDelivery, .finish])
        // The gate looks for nothing there.
        var gate = try Playbook.relaying()
        gate.carried(.client)
        gate.on(.ended(.client))
        gate.carried(.origin)
        gate.on(.ended(.origin))
        gate.on(.endsWeighed, expect: [.finish])
        // Who hears the origin end first has nothing to wait for.
        var last = try Playbook.debugging()
        last.carried(.client)
        last.on(.ended(.origin))
        last.on(.ended(.client))
        last.on(.endsWeighed, expect: [.finish])
    }

    @Test("a client that closes its half to a server that never answers waits for nothing")
    func halfClosedInVain() throws {
        var play = try Playbook.relaying(answer: .never)
        play.carried(.client)
        play.on(.ended(.client), expect: [.noteClose(.client, .fin), .finish])
        var polite = try Playbook.relaying(answer: .never)
        polite.carried(.client)
        polite.on(
            .saidGoodbye(.client), expect: [.noteClose(.client, .closeNotify), .sayGoodbye(.client)] + drained)
    }

    @Test("a tunnel's half closes are passed on, and its end waits for what is still to be written")
    func tunnelEnds() throws {
        var play = try Playbook.tunnelling()
        play.on(.ended(.client), expect: [.noteClose(.client, .fin), .end(.origin), .weighEnds])
        play.toOrigin = 5
        play.on(.ended(.origin), expect: [.end(.client), .weighEnds])
        play.on(.endsWeighed, expect: [])
        play.toOrigin = 0
        play.on(.drained(.origin), expect: [.resume(.client), .resume(.origin), .finish])
    }

    @Test("a client that is held back for an origin is read again when that is gone, or its end would never be seen")
    func heldBackForNobody() throws {
        var tunnel = try Playbook.tunnelling()
        var relay = try Playbook.debugging()
        relay.carried(.client)
        tunnel.toOrigin = 200_000
        relay.toOrigin = 200_000
        tunnel.on(.backedUp(.origin), expect: [.pause(.client)])
        relay.on(.backedUp(.origin), expect: [.pause(.client)])
        tunnel.toOrigin = 0
        relay.toOrigin = 0
        tunnel.on(
            .failed(.origin, "reset"),
            expect: [.dropOrigin, .resume(.client), .noteClose(.origin, .rst), .end(.client), .weighEnds])
        relay.on(
            .failed(.origin, "reset"),
            expect: [.dropOrigin, .resume(.client), .noteClose(.origin, .rst), .end(.client), .weighEnds])
        tunnel.on(.ended(.client), expect: [.end(.origin), .weighEnds])
        tunnel.on(.endsWeighed, expect: [.finish])
    }

    @Test("an origin's end is kept from a client under attack until it has shown what it makes of the chain")
    func heldEnd() throws {
        var play = try Playbook.relaying()
        play.on(.ended(.origin), expect: [])
        play.carried(.client, expect: [.noteClose(.origin, .fin), .end(.client), .weighEnds])
        var patient = try Playbook.relaying()
        patient.on(.saidGoodbye(.origin), expect: [])
        patient.on(.ticked, after: 9, expect: [])
        patient.on(.ticked, after: 2, expect: [.noteClose(.origin, .closeNotify), .sayGoodbye(.client)])
        var http2 = try Playbook.relaying(http2: true)
        http2.carried(.origin, expect: [])
        http2.on(.ended(.origin), expect: [])
        var http1 = try Playbook.relaying()
        http1.carried(.origin, expect: [])
        http1.on(.ended(.origin), expect: [.noteClose(.origin, .fin), .end(.client), .weighEnds])
    }

    @Test("an origin that ends while the client judges its chain ends nothing, and says good-bye only if it did")
    func endsWhilePresenting() throws {
        for isPolite in [true, false] {
            var play = try Playbook.presenting()
            if isPolite { play.on(.saidGoodbye(.origin), expect: []) }
            play.on(.ended(.origin), expect: [])
            play.on(.clientFinished(speaksHTTP2: false), expect: [.relay(greets: false)])
            play.on(.relayBegan, expect: [.dropOrigin])
            play.carried(
                .client,
                expect: [.noteClose(.origin, isPolite ? .closeNotify : .fin)] + (isPolite ? [.sayGoodbye(.client)] : [])
                    + [.end(.client), .weighEnds])
        }
    }

    @Test("an origin that is lost is dropped, and its end is told as one that was cut")
    func lostOrigin() throws {
        var play = try Playbook.relaying()
        play.carried(.client)
        play.on(
            .failed(.origin, "reset"),
            expect: [.dropOrigin, .resume(.client), .noteClose(.origin, .rst), .end(.client), .weighEnds])
        var broken = try Playbook.relaying()
        broken.carried(.client)
        broken.on(
            .broke(.origin, isRefusal: false),
            expect: [.dropOrigin, .resume(.client), .noteClose(.origin, .aborted), .end(.client), .weighEnds])
        var early = try Playbook(.attack(.expired, .init(name: nil), only: []))
        try early.connect()
        early.on(.helloRead(sni: nil))
        early.on(
            .failed(.origin, "reset"), expect: [.turnAway(.originRefused("connection lost: reset"))] + drained)
    }

    @Test("what the client's TLS says last: its refusal is its own, what we cannot read is ours")
    func clientBroke() throws {
        var refused = try Playbook.presenting()
        refused.on(.broke(.client, isRefusal: true), expect: drained)
        refused.on(.endsWeighed, expect: [])
        refused.on(.ended(.client), expect: [.noteClose(.client, .fin), .finish])
        var nonsense = try Playbook.presenting()
        nonsense.on(.broke(.client, isRefusal: false), expect: [.noteClose(.proxy, .aborted)] + drained)
        nonsense.on(.ended(.client), expect: [.finish])
    }

    @Test("the first side to close is the one that is noted, and a lost client ends everything")
    func firstClose() throws {
        var play = try Playbook.relaying()
        play.carried(.client)
        play.on(.saidGoodbye(.client), expect: [.noteClose(.client, .closeNotify), .sayGoodbye(.origin)])
        play.on(.saidGoodbye(.client), expect: [])
        play.on(.ended(.origin), expect: [.end(.client), .weighEnds])
        play.on(.failed(.client, "reset"), expect: [.noteDelivery, .finish])
        play.on(.failed(.client, "reset"), expect: [])
    }

    @Test("the trial's end ends a connection as the gate's doing, in every state")
    func trialEnds() throws {
        let ended: [Action] = [.noteDelivery, .noteClose(.gate, .aborted), .finish]
        var request = try Playbook()
        request.on(.trialEnded, expect: ended)
        var presenting = try Playbook.presenting()
        presenting.on(.trialEnded, expect: ended)
        var tunnel = try Playbook.tunnelling()
        tunnel.on(.trialEnded, expect: ended)
        tunnel.on(.trialEnded, expect: [])
    }

    // MARK: Plain requests, one after the other

    @Test("an exchange that is whole leaves both connections to the next request, unless a side has ended")
    func handOver() throws {
        var play = try Playbook()
        play.on(.requestAsked(.init(target: try endpoint("else.test:80"))))
        play.on(.dialed, expect: [.forward])
        play.on(.exchangeEnded, expect: [.noteClose(.proxy, .kept), .handOver])
        play.on(.exchangeEnded, expect: [])
        var closing = try Playbook()
        closing.on(.requestAsked(.init(target: try endpoint("else.test:80"))))
        closing.on(.ended(.client))
        closing.on(.dialed)
        closing.on(.exchangeEnded, expect: [])
    }

    @Test("a request on a kept connection that the origin had closed is sent again, once, before any answer")
    func repeats() throws {
        let target = try endpoint("else.test:80")
        for isRepeatable in [true, false] {
            var play = try Playbook(isContinued: true)
            play.on(.requestAsked(.init(target: target, isReused: true, isRepeatable: isRepeatable)))
            play.on(.dialed, expect: [.forward])
            let closed: [Action] = [.noteClose(.origin, .fin), .turnAway(.unanswered)] + drained
            play.on(.ended(.origin), expect: isRepeatable ? [.dropOrigin, .repeatRequest(target)] : closed)
            guard isRepeatable else { continue }
            play.on(.dialed, expect: [.forward])
            play.on(.ended(.origin), expect: closed)
        }
        var answered = try Playbook(isContinued: true)
        answered.on(.requestAsked(.init(target: target, isReused: true, isRepeatable: true)))
        answered.on(.dialed)
        answered.carried(.origin, expect: [])
        answered.on(.ended(.origin), expect: [.noteClose(.origin, .fin), .end(.client), .weighEnds])
    }

    @Test("a request that cannot be followed is refused, or cut off where a part of the answer has gone out")
    func unreadable() throws {
        var play = try Playbook()
        play.on(.requestAsked(.init(target: try endpoint("else.test:80"))))
        play.on(.dialed)
        var late = play
        let failed = ConnectionMachine.Event.exchangeFailed(.unreadable("why"))
        play.on(failed, expect: [.noteClose(.proxy, .aborted), .turnAway(.unreadable("why"))] + drained)
        late.carried(.origin)
        late.on(failed, expect: [.noteClose(.proxy, .aborted), .turnAway(.cutShort("why"))] + drained)
        play.on(.exchangeEnded, expect: [])
    }

    @Test("an origin that says more than its answer is left")
    func overrun() throws {
        var play = try Playbook()
        play.on(.requestAsked(.init(target: try endpoint("else.test:80"))))
        play.on(.dialed)
        play.carried(.origin)
        play.on(.exchangeFailed(.overrun), expect: [.noteClose(.origin, .aborted), .turnAway(.overrun)] + drained)
    }

    @Test("a client that has not sent its content when it is answered is left after its answer")
    func answeredUnsent() throws {
        var play = try Playbook()
        play.on(.requestAsked(.init(target: try endpoint("else.test:80"))))
        play.on(.dialed)
        play.carried(.origin)
        play.on(.answeredForGood, expect: [.noteClose(.proxy, .fin)] + drained)
    }

    @Test("a request that waits for an answer without a known end waits for so long without a byte")
    func waitedFor() throws {
        var play = try Playbook()
        play.on(.requestAsked(.init(target: try endpoint("else.test:80"))))
        play.on(.dialed)
        play.carried(.origin)
        play.on(.ticked, after: Patience.unmeasured + 1, expect: [])
        play.received()
        play.on(.askedAgain, expect: [])
        play.on(.ticked, after: Patience.unmeasured - 1, expect: [])
        play.received()
        play.on(.askedAgain, expect: [])
        play.on(.ticked, after: Patience.unmeasured + 1, expect: [.noteClose(.proxy, .fin)] + drained)
    }

    // MARK: Bytes

    @Test("a side that takes its bytes slowly holds the other one back, until they have gone out")
    func backPressure() throws {
        let limit = ConnectionMachine.backlogLimit
        for var play in [try Playbook.relaying(), try Playbook.tunnelling()] {
            play.toClient = limit
            play.on(.backedUp(.client), expect: [])
            play.toClient = limit + 1
            play.on(.backedUp(.client), expect: [.pause(.origin)])
            play.toClient = ConnectionMachine.backlogCeiling + 1
            play.on(.backedUp(.client), expect: [.pause(.origin), .pause(.client)])
            play.toClient = 0
            play.toOrigin = limit + 1
            play.on(.drained(.client), expect: [.resume(.origin)])
            play.toOrigin = 0
            play.on(.drained(.origin), expect: [.resume(.client), .resume(.origin)])
        }
    }

    @Test("a client whose next requests wait is not read on with each piece of the answer that it takes")
    func nextRequestsWait() throws {
        var play = try Playbook.tunnelling()
        play.hasMore = true
        play.on(.drained(.client), expect: [.resume(.origin)])
        play.on(.drained(.origin), expect: [.resume(.origin)])
    }

    @Test("an origin is not read before the client has finished, however its backlog goes")
    func originWaits() throws {
        var play = try Playbook.presenting()
        play.on(.drained(.client), expect: [.resume(.client)])
        play.toOrigin = ConnectionMachine.backlogLimit + 1
        play.on(.drained(.client), expect: [])
    }

    @Test("a client that sends much before it is answered is held back, and not released by what the origin takes")
    func heldFull() throws {
        var play = try Playbook(.attack(.expired, .init(name: nil), only: []))
        try play.connect()
        play.on(.helloRead(sni: nil))
        play.on(.heldFull, expect: [.pause(.client)])
        play.on(.drained(.origin), expect: [])
    }
}
