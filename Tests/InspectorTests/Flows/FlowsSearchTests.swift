import Flows
import Formats
import Testing

@testable import Inspector

@Suite("Where a text stands")
struct FlowsSearchTests {
    private static var flow: RecordedFlow {
        var flow = Flow(id: 1, kind: .http, state: .complete, started: 0)
        flow.url = "https://a.test/?q=Needle"
        flow.request = FlowSide(headers: [HeaderField("X-Find", "a needle")], trailers: [HeaderField("t", "needle")])
        let body = String(repeating: "ü", count: 200) + "\nneedle\n" + String(repeating: "ö", count: 200)
        return RecordedFlow(
            flow, response: RecordedBody(plain: Array(body.utf8)),
            messages: [FlowMessage(index: 4, atMS: 0, ExchangeMessage(from: .down, .text, Array("needle".utf8)))])
    }

    @Test("in address, fields, trailers, bodies and messages, whatever the case, with what is around it")
    func places() {
        let (matches, hasMore) = FlowsSearch("needle").matches(in: Self.flow)
        #expect(!hasMore)
        #expect(
            matches.map(\.place) == [
                "url", "request header x-find", "request trailer t", "response body", "message 4",
            ])
        #expect(matches[1].excerpt == "X-Find: a needle" && matches[1].offset == 10)
        #expect(matches[3].offset == 401)
        #expect(matches[3].excerpt.hasPrefix("…ü") && matches[3].excerpt.hasSuffix("ö…"))
        #expect(matches[3].excerpt.contains("ü needle ö") && !matches[3].excerpt.contains("\u{fffd}"))
    }

    @Test("no more places than are read, and none where it is not")
    func limits() {
        var flow = Self.flow
        flow.response = RecordedBody(plain: Array(String(repeating: "needle ", count: 100).utf8))
        let (found, hasMore) = FlowsSearch("needle").matches(in: flow)
        #expect(found.count == FlowsSearch.matchLimit && hasMore)
        // What an excerpt has shown is not shown again.
        for (one, next) in zip(found, found.dropFirst()) where one.place == next.place {
            #expect(next.offset + 6 > one.offset + 6 + 60)
        }
        #expect(FlowsSearch("absent").matches(in: flow).matches.isEmpty)
        #expect(FlowsSearch("ÜÜ").matches(in: Self.flow).matches.isEmpty == false)
    }
}
