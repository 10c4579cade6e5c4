import Facts
import Policy
import Testing

@testable import Proxy

/// Plays one connection to the machine, event by event, with a clock of its own.
struct Playbook {
    typealias Event = ConnectionMachine.Event
    typealias Action = ConnectionMachine.Action

    var machine: ConnectionMachine
    var now = 1000.0
    /// What waits for each side, as the shell would see it.
    var toClient = 0
    var toOrigin = 0
    var hasMore = false
    /// The client has sent more than what HTTP/2 begins with, as the shell would see it.
    var showsRequest = false

    init(
        _ plan: Plan, originalDestination: Endpoint? = nil, isContinued: Bool = false, idleLimit: Double? = nil
    ) {
        machine = ConnectionMachine(
            plan: SharedValue(plan), at: now, originalDestination: originalDestination, isContinued: isContinued,
            idleLimit: idleLimit)
    }

    /// A machine for `api.test`, which must refuse and lives at 127.0.0.1:9443, and `cdn.test`, which is to accept.
    init(
        _ phase: Plan.Phase = .passthrough, clients: [ClientRule] = [], lent: Bool = false,
        originalDestination: Endpoint? = nil, isContinued: Bool = false, idleLimit: Double? = nil
    ) throws {
        var profile = Profile(
            name: "p",
            rules: [
                HostRule(pattern: try #require(HostPattern("api.test")), expect: .refuse),
                HostRule(pattern: try #require(HostPattern("cdn.test")), expect: .accept),
            ],
            resolve: [try name("api.test"): Destination(try name("127.0.0.1"), 9443)], clients: clients)
        if lent { profile.lent[try name("api.test")] = LentMaterial(backupKey: "backup.key") }
        self.init(
            Plan(profile: profile, phase: phase), originalDestination: originalDestination, isContinued: isContinued,
            idleLimit: idleLimit)
    }

    /// The next event, so many seconds after the last one.
    @discardableResult
    mutating func on(_ event: Event, after seconds: Double = 0) -> [Action] {
        now += seconds
        return machine.on(
            event, .init(now: now, toClient: toClient, toOrigin: toOrigin, hasMore: hasMore, showsRequest: showsRequest)
        )
    }

    mutating func on(
        _ event: Event, after seconds: Double = 0, expect actions: [Action], _ at: SourceLocation = #_sourceLocation
    ) {
        #expect(on(event, after: seconds) == actions, sourceLocation: at)
    }

    /// Bytes came, so many seconds after the last event.
    mutating func received(after seconds: Double = 0) {
        now += seconds
        machine.received(at: now)
    }

    /// Application bytes of a side were taken.
    @discardableResult
    mutating func carried(_ side: ConnectionMachine.Side) -> [Action] { machine.carried(side) }

    mutating func carried(
        _ side: ConnectionMachine.Side, expect actions: [Action], _ at: SourceLocation = #_sourceLocation
    ) {
        #expect(carried(side) == actions, sourceLocation: at)
    }

    // MARK: Beginnings

    /// CONNECT, and the origin is there.
    mutating func connect(to target: String = "api.test:443") throws {
        on(.tunnelAsked(.init(target: try endpoint(target))))
        on(.dialed, expect: [.confirm, .readHello])
    }

    /// The forged chain is out; the client has not finished.
    static func presenting(
        _ attack: Attack = .trustedCA, answer: Conduct.Answer = .relayed, sessionHost: HostName? = nil
    ) throws -> Playbook {
        var play = try Playbook(.attack(attack, attack.variants[0], only: []))
        try play.connect()
        play.on(.helloRead(sni: try name("api.test")))
        play.on(.originReady)
        play.on(.presented(answer, sessionHost: sessionHost))
        play.on(.flightSent, expect: [])
        return play
    }

    /// The client has taken the chain and said nothing.
    static func relaying(
        _ attack: Attack = .trustedCA, answer: Conduct.Answer = .relayed, http2: Bool = false,
        sessionHost: HostName? = nil
    ) throws -> Playbook {
        var play = try presenting(attack, answer: answer, sessionHost: sessionHost)
        play.on(.clientFinished(speaksHTTP2: http2), expect: [.relay(greets: http2 && answer == .never)])
        play.on(.relayBegan, expect: [])
        return play
    }

    /// The debugging proxy: the client has taken the chain and said nothing.
    static func debugging(idleLimit: Double? = nil) throws -> Playbook {
        var play = try Playbook(.debugging, idleLimit: idleLimit)
        try play.connect()
        play.on(.helloRead(sni: try name("api.test")))
        play.on(.originReady)
        play.on(.presented(.relayed, sessionHost: nil))
        play.on(.flightSent, expect: [])
        play.on(.clientFinished(speaksHTTP2: false), expect: [.relay(greets: false)])
        play.on(.relayBegan, expect: [])
        return play
    }

    /// A tunnel of `api.test`.
    static func tunnelling() throws -> Playbook {
        var play = try Playbook()
        try play.connect()
        play.on(.helloRead(sni: try name("api.test")), expect: [.tunnel])
        return play
    }
}

func name(_ text: String) throws -> HostName { try #require(HostName(text)) }
func endpoint(_ text: String) throws -> Endpoint { try #require(Endpoint(text)) }

/// What every end that waits for the client's begins with.
let drained: [ConnectionMachine.Action] = [.dropOrigin, .end(.client), .resume(.client), .decided, .weighEnds]
