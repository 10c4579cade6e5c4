import Facts
import Flows
import Testing

@testable import Formats

@Suite("What two flows differ in")
struct FlowComparisonTests {
    private static func flow(_ url: String, _ status: Int, type: String = "application/json", _ body: String)
        -> RecordedFlow
    {
        var flow = Flow(id: 1, kind: .http, state: .complete, started: 0)
        (flow.method, flow.url, flow.status) = ("GET", url, status)
        flow.response = FlowSide(headers: [HeaderField("Content-Type", type)])
        return RecordedFlow(flow, response: RecordedBody(plain: Array(body.utf8)))
    }

    private static func differences(_ a: RecordedFlow, _ b: RecordedFlow) -> [String] {
        FlowComparison(a, b).differences.map { "\($0.place): \($0.first ?? "-") | \($0.second ?? "-")" }
    }

    @Test("nothing, where nothing differs but the time of day")
    func same() {
        var later = Self.flow("https://a.test/", 200, "{}")
        later.flow.started = 77
        #expect(FlowComparison(Self.flow("https://a.test/", 200, "{}"), later).differences == [])
    }

    @Test("the query is compared by name, and fields by name in whatever case")
    func heads() {
        var second = Self.flow("https://a.test/x?b=2&c=3", 404, "{}")
        second.flow.response?.headers = [
            HeaderField("content-type", "application/json"), HeaderField("X-A", "1"), HeaderField("x-a", "2"),
        ]
        #expect(
            Self.differences(Self.flow("https://a.test/x?a=1&b=2", 200, "{}"), second) == [
                "query a: 1 | -", "query c: - | 3", "status: 200 | 404", "response header x-a: - | 1, 2",
            ])
    }

    @Test("JSON is compared by its places, whatever its order and white space")
    func json() {
        let first = Self.flow("https://a.test/", 200, #"{"a": 1, "b": {"c": [1, 2]}, "d-e": "x"}"#)
        let second = Self.flow("https://a.test/", 200, #"{"d-e":"y","a":1,"b":{"c":[1,3,4]}}"#)
        #expect(
            Self.differences(first, second) == [
                "response body $.b.c[1]: 2 | 3", "response body $.b.c[2]: - | 4",
                "response body $[\"d-e\"]: \"x\" | \"y\"",
            ])
    }

    @Test("text is compared line by line, other bytes from the first that differs")
    func others() {
        let (a, b) = ("one\ntwo\nthree\nfour", "one\n2\nthree\nmore\nfour")
        #expect(
            Self.differences(
                Self.flow("https://a.test/", 200, type: "text/plain", a),
                Self.flow("https://a.test/", 200, type: "text/plain", b)) == [
                    "response body line 2: two | 2", "response body line 4: - | more",
                ])
        var (first, second) = (Self.flow("https://a.test/", 200, ""), Self.flow("https://a.test/", 200, ""))
        first.response = RecordedBody(plain: [0xff, 0, 1])
        second.response = RecordedBody(plain: [0xff, 0])
        #expect(Self.differences(first, second) == ["response body from byte 2: 3 bytes: 01 | 2 bytes: it has ended"])
    }

    @Test("of long texts what differs is compared by lines, and all of it by bytes where nearly everything does")
    func longTexts() {
        func difference(_ a: [String], _ b: [String]) -> [String] {
            Self.differences(
                Self.flow("https://a.test/", 200, type: "text/plain", a.joined(separator: "\n")),
                Self.flow("https://a.test/", 200, type: "text/plain", b.joined(separator: "\n")))
        }
        let lines = (0..<20_000).map { "line \($0)" }
        var other = lines
        other[12_000] = "another"
        #expect(difference(lines, other) == ["response body line 12001: line 12000 | another"])
        // Letters that look alike and are not written so; long ones, which are read once.
        let long = (0..<3000).map { String(repeating: "e\u{301}", count: 500) + "\($0)" }
        let marked = long.map { $0.replacing("e\u{301}", with: "\u{e9}") }
        let took = ContinuousClock().measure {
            let found = difference(long, marked)
            #expect(found.count == 1 && found.first?.hasPrefix("response body from byte 0") == true)
        }
        #expect(took < .seconds(20), "\(took)")
        #expect(difference(["e\u{301}", "b"], ["\u{e9}", "b"]) == ["response body line 1: e\u{301} | \u{e9}"])
    }

    @Test("messages are compared one by one")
    func messages() {
        func flow(_ texts: [String]) -> RecordedFlow {
            RecordedFlow(
                Flow(id: 1, kind: .websocket, state: .complete, started: 0),
                messages: texts.enumerated().map {
                    FlowMessage(index: $0.offset, atMS: 0, ExchangeMessage(from: .up, .text, Array($0.element.utf8)))
                })
        }
        #expect(
            Self.differences(flow(["a", "b"]), flow(["a", "c", "d"])) == [
                "messages: 2 | 3", "message 1: client text b | client text c", "message 2: - | client text d",
            ])
    }

    @Test("fields that differ in what is hidden are named, and their values are not")
    func hidden() {
        var (first, second) = (Self.flow("https://a.test/", 200, "{}"), Self.flow("https://a.test/", 200, "{}"))
        first.flow.request = FlowSide(headers: [HeaderField("authorization", "Bearer one-secret-1")])
        second.flow.request = FlowSide(headers: [HeaderField("authorization", "Bearer one-secret-2")])
        var seen = FlowComparison(Redaction.redacted(first).0, Redaction.redacted(second).0)
        #expect(seen.differences == [])
        seen.noteHidden(FlowComparison(first, second))
        #expect(seen.differences.map(\.place) == ["request header authorization"])
        #expect(
            seen.differences.allSatisfy {
                $0.first?.contains("secret") == false && $0.second?.contains("secret") == false
            })
    }

    @Test("a list that is too long ends, and says how many more there are")
    func limit() {
        let body = (0..<700).map { "\"k\($0)\":1" }.joined(separator: ",")
        let comparison = FlowComparison(
            Self.flow("https://a.test/", 200, "{\(body)}"), Self.flow("https://a.test/", 200, "{}"))
        #expect(comparison.differences.count == FlowComparison.limit && comparison.more == 200)
    }
}
