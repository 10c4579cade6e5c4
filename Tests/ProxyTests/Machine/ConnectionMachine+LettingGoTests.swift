import Facts
import Policy
import Testing

@testable import Proxy

/// A server that never answers, and a client that has shown its request: it would wait for its own time-out.
@Suite("ConnectionMachine, letting go")
struct ConnectionMachineLettingGoTests {
    private typealias Action = ConnectionMachine.Action
    private let letGo: [Action] = [.sayGoodbye(.client), .end(.client), .resume(.client)]
    private let gone: [Action] = [.noteDelivery, .noteClose(.proxy, .closeNotify), .finish]

    private func asked() throws -> Playbook {
        var play = try Playbook.relaying(.silentServer, answer: .never)
        play.received()
        play.carried(.client)
        play.showsRequest = true
        return play
    }

    private func letGoOf() throws -> Playbook {
        var play = try asked()
        play.on(.ticked, after: Patience.quietAfterRequest + 1, expect: letGo)
        return play
    }

    @Test("it is let go once nothing has followed for a while")
    func quiet() throws {
        var play = try asked()
        play.on(.ticked, after: Patience.quietAfterRequest, expect: [])
        // A body that waited for "100 Continue".
        play.received()
        play.carried(.client)
        play.on(.ticked, after: Patience.quietAfterRequest, expect: [])
        play.on(.ticked, after: 0.5, expect: letGo)
        #expect(!play.machine.isUndecided(play.now))
    }

    @Test("one that goes on sending is let go when what it does would say nothing any more")
    func endless() throws {
        var play = try asked()
        let start = play.now
        var actions: [Action] = []
        while actions.isEmpty, play.now < start + 100 {
            play.received(after: 0.9)
            actions = play.on(.ticked)
        }
        #expect(actions == letGo)
        #expect(play.now - start > Patience.requestInVain && play.now - start < Patience.requestInVain + 3)
    }

    @Test(
        "one that shakes hands, says nothing, or greets as HTTP/2 does, meets silence as ever",
        arguments: [false, true])
    func silent(greets: Bool) throws {
        var play = try Playbook.relaying(.silentServer, answer: .never, http2: greets)
        play.received()
        if greets { play.carried(.client) }
        for _ in 0..<30 { play.on(.ticked, after: 30, expect: []) }
        play.on(.ticked, after: 1, expect: [.noteDelivery, .noteClose(.proxy, .timeout), .finish])
    }

    @Test("where the origin answers, a request is waited for as ever")
    func relayed() throws {
        var play = try Playbook.relaying()
        play.carried(.client)
        play.showsRequest = true
        play.on(.ticked, after: Patience.idle, expect: [])
    }

    @Test("a client that goes before it is let go has gone by itself")
    func leavesFirst() throws {
        var play = try asked()
        play.on(.ticked, after: 1, expect: [])
        play.on(.ended(.client), expect: [.noteClose(.client, .fin), .finish])
    }

    @Test("its end is noted as ours, and when it has gone: what it throws away elsewhere it threw away because of that")
    func goes() throws {
        let ways: [ConnectionMachine.Event] = [.ended(.client), .failed(.client, "reset"), .trialEnded, .evicted]
        for way in ways {
            var play = try letGoOf()
            play.on(.saidGoodbye(.client), expect: [])
            play.on(way, after: 0.5, expect: gone)
        }
    }

    @Test("one that does not go is not waited for long, whatever it goes on to send")
    func stays() throws {
        var play = try letGoOf()
        play.received(after: 1)
        play.on(.ticked, after: Patience.drain - 1, expect: [])
        play.on(.ticked, after: 0.5, expect: gone)
    }
}
