import Facts
import Foundation
import Loop
import Support
import Testing

@testable import Proxy

/// A connection of a test: what passes on it, and what a taker made of it.
struct Followed {
    let number: UInt64
    let alpn: String?
    var sent: [ExchangeDirection: MarkedBytes] = [.up: MarkedBytes(), .down: MarkedBytes()]
    var listener: (any ExchangeListener)?

    init(_ number: UInt64, alpn: String?, _ feed: ExchangeFeed) {
        self.number = number
        self.alpn = alpn
        listener = feed.began(facts)
    }

    var facts: ExchangeConnection {
        ExchangeConnection(
            number: number, accepted: 1, began: 2, via: .connect, host: HostName("a.example"),
            negotiated: Negotiated(version: .tls13, cipher: "x", alpn: alpn))
    }

    /// In one piece, or in several.
    mutating func pass(
        _ direction: ExchangeDirection, pieces size: Int = .max, at now: Double = 3,
        _ fill: (inout MarkedBytes) -> Void
    ) {
        var more = MarkedBytes()
        fill(&more)
        var at = 0
        while at < more.bytes.count {
            let end = at + min(size, more.bytes.count - at)
            let piece = Array(more.bytes[at..<end])
            listener?.passed(piece.span, direction, at: now)
            at = end
        }
        sent[direction]?.append(more)
    }
}

/// What a taker has of one connection, checked against what passed.
struct Taken {
    var began: ExchangeConnection?
    /// nil: left out.
    var bytes: [ExchangeDirection: [UInt8?]] = [.up: [], .down: []]
    var shed = 0
    var cut: (up: Int, down: Int)?
    var ended = 0

    static func of(_ events: [ExchangeEvent]) -> [UInt64: Taken] {
        var all: [UInt64: Taken] = [:]
        for event in events {
            var taken = all[event.connection] ?? Taken()
            #expect(taken.ended == 0, "after the end: \(event)")
            switch event.kind {
            case .began(let facts): (_, taken.began) = (#expect(taken.began == nil), facts)
            case .passed(let direction, let bytes, _):
                #expect(taken.cut == nil && taken.began != nil)
                taken.bytes[direction]? += bytes.map { $0 }
            case .counted: Issue.record("nothing here is opaque: \(event)")
            case .shed(let direction, let count, _):
                #expect(taken.cut == nil && count > 0)
                taken.bytes[direction]? += [UInt8?](repeating: nil, count: count)
                taken.shed += count
            case .cut(let up, let down, _):
                #expect(taken.cut == nil)
                taken.cut = (up, down)
            case .clientEnded, .connected: #expect(taken.cut == nil && taken.began != nil)
            case .ended: taken.ended += 1
            }
            all[event.connection] = taken
        }
        return all
    }

    /// Only bytes of bodies are missing, and everything else is what passed.
    func check(_ sent: Followed, sourceLocation: SourceLocation = #_sourceLocation) {
        for direction in ExchangeDirection.allCases {
            let (all, found) = (sent.sent[direction] ?? MarkedBytes(), bytes[direction] ?? [])
            let end = cut.map { direction == .up ? $0.up : $0.down } ?? all.bytes.count
            #expect(found.count == end && end <= all.bytes.count, "\(direction)", sourceLocation: sourceLocation)
            let wrong = zip(found, zip(all.bytes, all.isBody)).enumerated().first { _, pair in
                pair.0.map { $0 != pair.1.0 } ?? !pair.1.1
            }
            #expect(wrong == nil, "\(direction), connection \(sent.number)", sourceLocation: sourceLocation)
        }
    }
}

@Suite("ExchangeFeed")
struct ExchangeFeedTests {
    private func feed(total: Int = .max / 4, rest: Int = .max / 4, connectionRest: Int = .max / 4) -> ExchangeFeed {
        var limits = ExchangeFeed.Limits()
        limits.total = total
        limits.rest = rest
        limits.connectionRest = connectionRest
        return ExchangeFeed(limits: limits)
    }

    private let body = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }

    @Test("hands over what passed, in order, with its times")
    func order() throws {
        let feed = ExchangeFeed()
        var connection = Followed(7, alpn: "http/1.1", feed)
        connection.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") }
        connection.pass(.down) { $0.message("HTTP/1.1 200 OK", content: [1, 2, 3]) }
        let close = Observation.Close(by: .client, how: .fin, ms: 5)
        connection.listener?.ended(close, isAnswerLost: false, at: 9)
        let batch = feed.take()
        let answer = try #require(connection.sent[.down]?.bytes)
        #expect(
            batch.events == [
                ExchangeEvent(7, .began(connection.facts)),
                ExchangeEvent(7, .passed(.up, Array("GET / HTTP/1.1\r\n\r\n".utf8), at: 3)),
                ExchangeEvent(7, .passed(.down, answer, at: 3)),
                ExchangeEvent(7, .ended(close, isAnswerLost: false, at: 9)),
            ])
        #expect(batch.missed == 0 && feed.take().isEmpty)
        #expect(connection.facts.isIntercepted && connection.facts.alpn == "http/1.1")
    }

    @Test("wakes the taker once for each batch")
    func waking() {
        let woken = Locked(0)
        let feed = ExchangeFeed { woken.withLock { $0 += 1 } }
        var connection = Followed(1, alpn: nil, feed)
        for _ in 0..<3 { connection.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") } }
        #expect(woken.withLock { $0 } == 1)
        _ = feed.take()
        #expect(woken.withLock { $0 } == 1)
        connection.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") }
        connection.listener?.ended(nil, isAnswerLost: false, at: 1)
        #expect(woken.withLock { $0 } == 2)
    }

    @Test("hurries the taker once for each batch of which an eighth of the room is full")
    func hurrying() {
        let hurried = Locked(0)
        var limits = ExchangeFeed.Limits()
        limits.total = 16_000
        let feed = ExchangeFeed(limits: limits, hurry: { hurried.withLock { $0 += 1 } })
        var connection = Followed(1, alpn: "http/1.1", feed)
        _ = feed.take()
        connection.pass(.down) { $0.message("HTTP/1.1 200 OK", content: body) }
        #expect(hurried.withLock { $0 } == 0)
        for _ in 0..<20 { connection.pass(.down) { $0.message("HTTP/1.1 200 OK", content: body) } }
        #expect(hurried.withLock { $0 } == 1)
        _ = feed.take()
        connection.pass(.down) { $0.message("HTTP/1.1 200 OK", content: body + body) }
        #expect(hurried.withLock { $0 } == 2)
    }

    @Test("where bodies pile up they are left out and counted, and heads are kept")
    func shedding() throws {
        let feed = feed(total: 4000)
        var connection = Followed(1, alpn: "http/1.1", feed)
        for _ in 0..<20 {
            connection.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") }
            connection.pass(.down, pieces: 100) { $0.message("HTTP/1.1 200 OK", content: body) }
        }
        connection.listener?.ended(nil, isAnswerLost: false, at: 1)
        let taken = try #require(Taken.of(feed.take().events)[1])
        taken.check(connection)
        #expect(taken.shed > 15_000 && taken.shed < 20_000 && taken.cut == nil && taken.ended == 1)
        // As soon as it was taken there is room again.
        var next = Followed(2, alpn: "http/1.1", feed)
        next.pass(.down) { $0.message("HTTP/1.1 200 OK", content: body) }
        #expect(try #require(Taken.of(feed.take().events)[2]).shed == 0)
    }

    @Test("a long body that is left out is one marker, however it comes")
    func oneMarker() {
        let feed = feed(total: 0)
        var connection = Followed(1, alpn: "http/1.1", feed)
        connection.pass(.down, pieces: 10) { $0.message("HTTP/1.1 200 OK", content: body) }
        let markers = feed.take().events.filter { if case .shed = $0.kind { true } else { false } }
        #expect(markers == [ExchangeEvent(1, .shed(.down, 1000, at: 3))])
        // It grows until it is taken.
        connection.pass(.down, pieces: 500) { $0.message("HTTP/1.1 200 OK", content: body) }
        _ = feed.take()
        connection.pass(.down) { $0.framing("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n") }
        connection.pass(.down) { $0.body(Array(body.prefix(10))) }
        _ = feed.take()
        for time in [4.0, 5] { connection.pass(.down, at: time) { $0.body(Array(body.prefix(5))) } }
        #expect(feed.take().events == [ExchangeEvent(1, .shed(.down, 10, at: 5))])
    }

    @Test("a marker stands between what passed before it and after it, in the other direction too")
    func markersInOrder() {
        let feed = feed(total: 0)
        var connection = Followed(1, alpn: "h2", feed)
        connection.pass(.up) { $0.framing(MarkedBytes.preface) }
        connection.pass(.down) { $0.frame(4, stream: 0, []) }
        _ = feed.take()
        for _ in 0..<2 {
            connection.pass(.up) { $0.frame(0, [1, 2]) }
            connection.pass(.down) { $0.frame(0, [3, 4, 5]) }
        }
        let kinds = feed.take().events.map(\.kind).filter { if case .passed = $0 { false } else { true } }
        #expect(
            kinds == [
                .shed(.up, 2, at: 3), .shed(.down, 3, at: 3), .shed(.up, 2, at: 3), .shed(.down, 3, at: 3),
            ])
    }

    @Test("a connection whose heads pile up is cut off, and others are not")
    func cutting() throws {
        let feed = feed(connectionRest: 5000)
        var greedy = Followed(1, alpn: "http/1.1", feed)
        var modest = Followed(2, alpn: "http/1.1", feed)
        greedy.pass(.down, pieces: 10) { $0.message("HTTP/1.1 200 OK", content: Array(body.prefix(100))) }
        for _ in 0..<1000 { greedy.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") } }
        greedy.pass(.down) { $0.message("HTTP/1.1 200 OK", content: body) }
        greedy.listener?.ended(nil, isAnswerLost: false, at: 1)
        modest.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") }
        let all = Taken.of(feed.take().events)
        let taken = try #require(all[1])
        taken.check(greedy)
        let cut = try #require(taken.cut)
        #expect(cut.up > 0 && cut.up < 5000 && cut.up.isMultiple(of: 18) && cut.down > 100 && taken.ended == 1)
        try #require(all[2]).check(modest)
        #expect(all[2]?.cut == nil)
        // What has been taken weighs no more: the rest of a long connection is followed as long as it is taken.
        for _ in 0..<1000 {
            modest.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") }
            let events = feed.take().events
            #expect(events.count == 1)
        }
    }

    @Test("connections that begin where nothing can be taken are counted, and cost nothing")
    func missing() {
        let feed = feed(rest: 10 * ExchangeFeed.connectionCost)
        let listeners = (0..<15).map { Followed($0, alpn: nil, feed).listener }
        #expect(listeners.filter { $0 == nil }.count == 5)
        let batch = feed.take()
        #expect(batch.missed == 5 && batch.events.count == 10)
        #expect(Followed(99, alpn: nil, feed).listener != nil)
    }

    @Test("ends are told whatever waits")
    func ends() {
        let feed = feed(total: 0, rest: 4 * ExchangeFeed.connectionCost, connectionRest: 0)
        var connections = (0..<4).map { Followed($0, alpn: nil, feed) }
        for index in connections.indices {
            connections[index].pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") }
            connections[index].listener?.ended(nil, isAnswerLost: false, at: 1)
        }
        let all = Taken.of(feed.take().events)
        #expect(all.count == 4 && all.values.allSatisfy { $0.ended == 1 && $0.cut?.up == 0 })
    }

    @Test("after close nothing is kept or followed")
    func closing() {
        let woken = Locked(0)
        let feed = ExchangeFeed { woken.withLock { $0 += 1 } }
        var connection = Followed(1, alpn: nil, feed)
        feed.close()
        connection.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") }
        connection.listener?.ended(nil, isAnswerLost: false, at: 1)
        #expect(feed.take().isEmpty && Followed(2, alpn: nil, feed).listener == nil)
        #expect(woken.withLock { $0 } == 1)
    }

    @Test("whatever passes, and however slowly it is taken, only bodies are missing", arguments: 0..<16)
    func property(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        // From none to plenty.
        let feed = feed(
            total: Int.random(in: 0...40_000, using: &random),
            connectionRest: Int.random(in: 3_000...400_000, using: &random))
        let alpns = ["h2", "http/1.1", "ws"]
        var connections = (0..<Int.random(in: 1...6, using: &random)).map {
            Followed(UInt64($0), alpn: alpns[$0 % 3] == "ws" ? nil : alpns[$0 % 3], feed)
        }
        for index in connections.indices { Script.begin(&connections[index], kind: index % 3) }
        var events: [ExchangeEvent] = []
        let slowness = Int.random(in: 2...200, using: &random)
        for _ in 0..<120 {
            let index = Int.random(in: 0..<connections.count, using: &random)
            Script.go(on: &connections[index], kind: index % 3, &random)
            if Int.random(in: 0..<slowness, using: &random) == 0 {
                let batch = feed.take()
                // Heads as well, and what one read adds.
                #expect(batch.events.count < 200_000)
                events += batch.events
            }
        }
        for connection in connections { connection.listener?.ended(nil, isAnswerLost: false, at: 1) }
        let all = Taken.of(events + feed.take().events)
        for connection in connections {
            #expect(all[connection.number]?.ended == 1)
            all[connection.number]?.check(connection)
        }
    }

    @Test("a taker on another thread gets everything of several loops", arguments: [32 * 1024 * 1024, 20_000])
    func threads(total: Int) {
        let signal = DispatchSemaphore(value: 0)
        var limits = ExchangeFeed.Limits()
        limits.total = total
        let feed = ExchangeFeed(limits: limits) { signal.signal() }
        let sent = Locked<[Followed.Sent]>([])
        let producers = 3
        let kept = DispatchSemaphore(value: 0)
        for producer in 0..<producers {
            Thread.detachNewThread {
                var random = SeededGenerator(seed: UInt64(producer))
                var mine = (0..<3).map { Followed(UInt64(producer * 3 + $0), alpn: $0 == 0 ? "h2" : nil, feed) }
                for index in mine.indices { Script.begin(&mine[index], kind: index) }
                for _ in 0..<60 {
                    let index = Int.random(in: 0..<mine.count, using: &random)
                    Script.go(on: &mine[index], kind: index, &random)
                }
                for connection in mine { connection.listener?.ended(nil, isAnswerLost: false, at: 1) }
                let bytes = mine.map { Followed.Sent(number: $0.number, bytes: $0.sent) }
                sent.withLock { $0 += bytes }
                kept.signal()
            }
        }
        var events: [ExchangeEvent] = []
        var ended = 0
        while ended < producers * 3 {
            guard signal.wait(timeout: .now() + 60) == .success else {
                Issue.record("never woken")
                return
            }
            let batch = feed.take()
            ended += batch.events.filter { if case .ended = $0.kind { true } else { false } }.count
            events += batch.events
        }
        // An end is told before its connection's bytes are kept.
        for _ in 0..<producers { #expect(kept.wait(timeout: .now() + 60) == .success) }
        let all = Taken.of(events)
        for bytes in sent.withLock({ $0 }) { all[bytes.number]?.check(Followed(bytes)) }
        #expect(all.count == producers * 3 && feed.take().isEmpty)
    }
}

extension Followed {
    /// What can cross threads.
    struct Sent: Sendable {
        var number: UInt64
        var bytes: [ExchangeDirection: MarkedBytes]
    }

    fileprivate init(_ sent: Sent) {
        number = sent.number
        alpn = nil
        self.sent = sent.bytes
    }
}

/// Something to carry: HTTP/2, HTTP/1, a WebSocket.
private enum Script {
    /// A piece of it tells where it was taken from.
    private static let material = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

    static func begin(_ connection: inout Followed, kind: Int) {
        switch kind {
        case 0:
            connection.pass(.up) { $0.framing(MarkedBytes.preface) }
            connection.pass(.down) { $0.frame(4, stream: 0, [1, 2, 3, 4, 5, 6]) }
        case 2:
            connection.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") }
            connection.pass(.down) { $0.framing("HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n") }
        default: break
        }
    }

    static func go(on connection: inout Followed, kind: Int, _ random: inout SeededGenerator) {
        let start = Int.random(in: 0..<256, using: &random)
        let content = Array(material[start..<(start + Int.random(in: 0...3000, using: &random))])
        let size = [.max, 1000, 100, 7].randomElement(using: &random) ?? .max
        let direction: ExchangeDirection = Bool.random(using: &random) ? .up : .down
        switch kind {
        case 0:
            let type = UInt8.random(in: 0...3, using: &random)
            connection.pass(direction, pieces: size) {
                $0.frame(type, type == 0 ? content : Array(content.prefix(100)))
                $0.frame(0, content)
            }
        case 1:
            let chunk = Bool.random(using: &random) ? nil : Int.random(in: 1...500, using: &random)
            connection.pass(.up, pieces: size) { $0.message("POST / HTTP/1.1", content: Array(content.prefix(300))) }
            connection.pass(.down, pieces: size) { $0.message("HTTP/1.1 200 OK", content: content, chunk: chunk) }
        default:
            connection.pass(direction, pieces: size) {
                $0.webSocket(2, isMasked: direction == .up, content)
                $0.webSocket(9, isMasked: direction == .up, [1])
            }
        }
    }
}
