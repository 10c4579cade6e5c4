import Facts
import Testing

@testable import Proxy

struct FollowedConnectionTests {
    private func facts() -> ExchangeConnection {
        ExchangeConnection(number: 1, accepted: 0, began: 0, via: .http, host: HostName("api.test"))
    }

    @Test("a client's end is told once, where it came among the bytes, and not of a connection that is cut")
    func clientEnded() throws {
        let feed = ExchangeFeed()
        let listener = try #require(feed.began(facts()))
        let (asked, answer) = (Array("GET / HTTP/1.1\r\n\r\n".utf8), Array("HTTP/1.1 204 x\r\n\r\n".utf8))
        listener.passed(asked.span, .up, at: 1)
        listener.clientEnded(at: 2)
        listener.clientEnded(at: 3)
        listener.passed(answer.span, .down, at: 4)
        listener.ended(nil, isAnswerLost: true, at: 5)
        #expect(
            feed.take().events.dropFirst().map(\.kind) == [
                .passed(.up, asked, at: 1), .clientEnded(at: 2), .passed(.down, answer, at: 4),
                .ended(nil, isAnswerLost: true, at: 5),
            ])

        var limits = ExchangeFeed.Limits()
        limits.connectionRest = 100
        let small = ExchangeFeed(limits: limits)
        let cut = try #require(small.began(facts()))
        let long = Array("GET /\(String(repeating: "x", count: 200)) HTTP/1.1\r\n\r\n".utf8)
        cut.passed(long.span, .up, at: 1)
        cut.clientEnded(at: 2)
        cut.ended(nil, isAnswerLost: false, at: 3)
        let kinds = small.take().events.dropFirst().map(\.kind)
        #expect(kinds == [.cut(up: 0, down: 0, at: 1), .ended(nil, isAnswerLost: false, at: 3)])
    }

    @Test("bytes left out before a client's end and after it are two counts")
    func shedAroundEnd() throws {
        var limits = ExchangeFeed.Limits()
        limits.total = 0
        let feed = ExchangeFeed(limits: limits)
        let listener = try #require(feed.began(facts()))
        listener.passed(Array("GET / HTTP/1.1\r\n\r\n".utf8).span, .up, at: 1)
        listener.passed(Array("HTTP/1.1 200 x\r\nContent-Length: 9\r\n\r\n".utf8).span, .down, at: 1)
        for at in 2...3 { listener.passed(Array("abc".utf8).span, .down, at: Double(at)) }
        listener.clientEnded(at: 4)
        listener.passed(Array("abc".utf8).span, .down, at: 5)
        let kinds = feed.take().events.suffix(3).map(\.kind)
        #expect(kinds == [.shed(.down, 6, at: 3), .clientEnded(at: 4), .shed(.down, 3, at: 5)])
    }
}
