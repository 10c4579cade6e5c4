import Facts
import Testing

@testable import Proxy

@Suite("CountedConnection")
struct CountedConnectionTests {
    private func opaque(_ number: UInt64 = 1) -> ExchangeConnection {
        var facts = ExchangeConnection(
            number: number, accepted: 1, began: 2, via: .connect, host: HostName("a.example"))
        facts.isOpaque = true
        return facts
    }

    private func pass(_ count: Int, _ direction: ExchangeDirection, _ listener: (any ExchangeListener)?) {
        let bytes = [UInt8](repeating: 7, count: count)
        listener?.passed(bytes.span, direction, at: 3)
    }

    @Test("however much passes, what waits is the sum")
    func sums() {
        let feed = ExchangeFeed()
        let listener = feed.began(opaque())
        for _ in 0..<1000 { pass(10_000, .down, listener) }
        pass(5, .up, listener)
        #expect(
            feed.take().events.map(\.kind) == [.began(opaque()), .counted(up: 5, down: 10_000_000)])
        #expect(feed.take().isEmpty)
        pass(1, .up, listener)
        #expect(feed.take().events.map(\.kind) == [.counted(up: 6, down: 10_000_000)])
        pass(1, .up, listener)
        let close = Observation.Close(by: .client, how: .fin, ms: 1)
        listener?.ended(close, isAnswerLost: false, at: 4)
        let end = ExchangeEvent.Kind.ended(close, isAnswerLost: false, at: 4)
        #expect(feed.take().events.map(\.kind) == [.counted(up: 7, down: 10_000_000), end])
    }

    @Test("counts of two connections are not taken for one another")
    func two() {
        let feed = ExchangeFeed()
        let (one, other) = (feed.began(opaque(1)), feed.began(opaque(2)))
        for _ in 0..<3 {
            pass(1, .up, one)
            pass(2, .up, other)
        }
        let counted = feed.take().events.dropFirst(2)
        #expect(counted.map(\.connection) == [1, 2])
        #expect(counted.map(\.kind) == [.counted(up: 3, down: 0), .counted(up: 6, down: 0)])
    }

    @Test("without room nothing is lost: the end has the sum")
    func noRoom() {
        var limits = ExchangeFeed.Limits()
        limits.rest = ExchangeFeed.connectionCost
        let feed = ExchangeFeed(limits: limits)
        let listener = feed.began(opaque())
        pass(9, .down, listener)
        #expect(feed.take().events.count == 1)
        pass(1, .down, listener)
        listener?.ended(nil, isAnswerLost: false, at: 4)
        #expect(feed.take().events.first?.kind == .counted(up: 0, down: 10))
    }
}
