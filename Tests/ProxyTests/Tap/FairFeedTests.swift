import Facts
import Testing

@testable import Proxy

@Suite struct FairFeedTests {
    @Test("whoever floods loses of its own, and the others' bodies are kept")
    func fairness() throws {
        var limits = ExchangeFeed.Limits()
        limits.total = 500_000
        let feed = ExchangeFeed(limits: limits)
        let body = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var floods = (1...8).map { Followed(UInt64($0), alpn: "http/1.1", feed) }
        let long = Array(repeating: body, count: 10).flatMap { $0 }
        for _ in 0..<10 {
            for index in floods.indices {
                floods[index].pass(.down, pieces: 500) { $0.message("HTTP/1.1 200 OK", content: long) }
            }
        }
        var others = (11...14).map { Followed(UInt64($0), alpn: "http/1.1", feed) }
        for index in others.indices { others[index].pass(.down) { $0.message("HTTP/1.1 200 OK", content: body) } }
        let taken = Taken.of(feed.take().events)
        #expect((1...8).map { taken[$0]?.shed ?? 0 }.reduce(0, +) > 200_000)
        #expect((11...14).allSatisfy { taken[$0]?.shed == 0 && taken[$0]?.cut == nil })
    }

    @Test("ten that flood with heads, one after the other, leave room for those of others")
    func heads() throws {
        var limits = ExchangeFeed.Limits()
        limits.rest = 1_000_000
        let feed = ExchangeFeed(limits: limits)
        for number in UInt64(1)...10 {
            var flood = Followed(number, alpn: "http/1.1", feed)
            for _ in 0..<5000 { flood.pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") } }
        }
        var others = (11...20).map { Followed(UInt64($0), alpn: "http/1.1", feed) }
        for index in others.indices { others[index].pass(.up) { $0.framing("GET / HTTP/1.1\r\n\r\n") } }
        let taken = Taken.of(feed.take().events)
        #expect((1...10).allSatisfy { taken[$0]?.cut != nil })
        #expect((11...20).allSatisfy { taken[$0] != nil && taken[$0]?.cut == nil })
    }
}
