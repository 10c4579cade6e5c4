import Facts
import Testing

@testable import Flows

struct OpenFlowTests {
    /// Of an exchange over HTTP/2 (or not): what is said of its content.
    private static func note(
        method: String = "GET", status: String = "200", announced: String?, came: Int, stream: Int? = 1
    ) -> String? {
        let flow = OpenFlow(
            Flow(id: 1, kind: .http, state: .open, started: 0), began: 0, limits: ConnectionRecorder.Limits(),
            tools: DecodingTools())
        let length = announced.map { [HeaderField("content-length", $0)] } ?? []
        let request = [HeaderField(":method", method), HeaderField(":path", "/"), HeaderField(":authority", "a.test")]
        flow.asked(RequestHead(http2: request, stream: 1))
        flow.flow.stream = stream
        flow.ended(.up, at: 0)
        flow.answered(AnswerHead(http2: [HeaderField(":status", status)] + length), at: 0)
        if came > 0 { flow.content(.down, Array(repeating: 0x61, count: came)[...], at: 0) }
        flow.ended(.down, at: 0)
        #expect(flow.flow.state == .complete)
        return flow.flow.undecodable?.why
    }

    @Test("content over HTTP/2 that is not as long as its head said is told, for clients refuse it")
    func lengths() {
        #expect(
            Self.note(announced: "10", came: 5)
                == "content-length says 10, and 5 bytes came, which HTTP/2 forbids (RFC 9113 §8.1.1)")
        #expect(Self.note(announced: "0", came: 1)?.contains("says 0, and 1 byte came") == true)
        #expect(Self.note(announced: "10", came: 0)?.contains("says 10, and 0 bytes came") == true)
    }

    @Test("nothing is said of what is right, of answers that have no content, and of HTTP/1, which is framed otherwise")
    func right() {
        #expect(Self.note(announced: "10", came: 10) == nil)
        #expect(Self.note(announced: nil, came: 10) == nil)
        #expect(Self.note(announced: "ten", came: 10) == nil)
        #expect(Self.note(method: "HEAD", announced: "10", came: 0) == nil)
        #expect(Self.note(status: "304", announced: "10", came: 0) == nil)
        #expect(Self.note(announced: "10", came: 5, stream: nil) == nil)
    }

    @Test("a request of which its server needed no more is as long as it is")
    func answeredEarly() {
        let flow = OpenFlow(
            Flow(id: 1, kind: .http, state: .open, started: 0), began: 0, limits: ConnectionRecorder.Limits(),
            tools: DecodingTools())
        let request = [HeaderField(":method", "POST"), HeaderField(":path", "/"), HeaderField("content-length", "9")]
        flow.asked(RequestHead(http2: request, stream: 1))
        flow.answered(AnswerHead(http2: [HeaderField(":status", "413")]), at: 0)
        flow.ended(.down, at: 0)
        flow.ended(.up, at: 0)
        #expect(flow.flow.state == .complete && flow.flow.undecodable == nil)
    }

    /// 1, 2, 3, …
    private static func numbers() -> () -> Int64 {
        var last: Int64 = 0
        return {
            last += 1
            return last
        }
    }

    private static func recorded(_ talk: (inout ConnectionRecorder) -> Void, alpn: String? = nil) -> [Flow] {
        var recorder = ConnectionRecorder(
            ConnectionRecorder.Facts(connection: 1, scheme: "http"),
            reader: ConnectionReader(alpn: alpn, tools: TestHPACK.tools()), limits: .init(), tools: TestHPACK.tools(),
            clock: FlowClock(unix: 0, monotonic: 0), newID: Self.numbers())
        talk(&recorder)
        recorder.end(by: Observation.Close(by: .origin, how: .closeNotify, ms: 1), at: 1)
        var changes: [FlowChange] = []
        recorder.take(into: &changes)
        return changes.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }
    }

    @Test("a body whose length two readers could measure differently is not an empty one")
    func unknownFraming() throws {
        let flow = try #require(
            Self.recorded {
                $0.read(Array("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8), .up, at: 0)
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"
                $0.read(Array((head + "hello!").utf8), .down, at: 0)
            }.last)
        #expect(flow.status == 200 && flow.undecodable != nil)
        #expect(flow.response?.headers.count == 2 && flow.response?.body == nil)
    }

    @Test("a body that cannot be measured any further has the size that was read, and no hash")
    func brokenChunk() throws {
        let flow = try #require(
            Self.recorded {
                $0.read(Array("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8), .up, at: 0)
                let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                $0.read(Array((head + "5\r\nhello\r\nzz\r\nmore").utf8), .down, at: 0)
            }.last)
        let body = try #require(flow.response?.body)
        #expect(body.size >= 5 && body.sha256 == nil && body.decodedSize == nil && flow.undecodable != nil)
    }

    @Test(
        "an answer in HTTP/2 without a status that is one has none, and says what came",
        arguments: ["abc", "+20", "99", nil])
    func badStatus(status: String?) throws {
        var script = HTTP2Script()
        script.ask(1, "/")
        script.headers(.down, 1, status.map { [(":status", $0)] } ?? [("server", "x")])
        script.data(.down, 1, "hello", ends: true)
        let flow = try #require(
            Self.recorded({ for (direction, bytes) in script.turns { $0.read(bytes, direction, at: 0) } }, alpn: "h2")
                .last)
        #expect(flow.state == .complete && flow.status == nil && flow.response?.body?.size == 5)
        #expect(flow.undecodable?.why.contains(status.map { "\"\($0)\"" } ?? "without :status") == true)
        #expect(!String(decoding: flow.json, as: UTF8.self).contains("\"status\""))
    }

    @Test("DATA that HTTP/2 does not allow is kept, on its stream or as a flow of its own")
    func misplaced() throws {
        var script = HTTP2Script()
        script.ask(1, "/1")
        script.data(.down, 1, "before")
        script.answer(1)
        script.data(.down, 1, "in", ends: true)
        script.data(.down, 1, "behind")
        var changes: [FlowChange] = []
        let flows = Self.recorded(
            {
                for (direction, bytes) in script.turns { $0.read(bytes, direction, at: 0) }
                $0.take(into: &changes)
            }, alpn: "h2")
        let told = changes.compactMap { if case .flow(let flow) = $0 { flow } else { nil } } + flows
        let first = try #require(told.last { $0.id == 1 })
        #expect(first.state == .complete && first.response?.body?.size == 2 && first.status == 200)
        #expect(first.undecodable?.why == "DATA before the header fields (RFC 9113 §8.1)")
        let second = try #require(told.last { $0.id == 2 })
        #expect(second.kind == .raw && second.state == .complete && second.response?.body?.size == 6)
        #expect(second.undecodable?.why == "DATA on stream 1, which is over (RFC 9113 §5.1)")
        let raw = changes.compactMap {
            if case .raw(let id, .down, let bytes) = $0 {
                "\(id) " + String(decoding: bytes, as: UTF8.self)
            } else {
                nil
            }
        }
        #expect(raw == ["1 before", "2 behind"])
    }

    @Test("a body under several codings is measured without all of them")
    func codings() throws {
        final class Half: ContentDecoder {
            let (isCut, isWhole) = (false, true)
            func decode(_ bytes: ArraySlice<UInt8>, most: Int) -> [UInt8] { Array(bytes.prefix(bytes.count / 2)) }
        }
        var asked = ""
        let tools = DecodingTools(content: { name, _ in
            asked = name
            return Half()
        })
        var body = BodyRecord(
            fields: [HeaderField("Content-Encoding", "gzip, br")], limit: 100, tools: tools)
        body.add([1, 2, 3, 4])
        body.end()
        #expect(asked == "gzip, br" && body.body.decodedSize == 2)
    }

    @Test("of a body that few bytes make large no more is measured than those bytes have earned")
    func bomb() throws {
        final class Growing: ContentDecoder {
            private(set) var isCut = false
            let isWhole = true
            private(set) var asked: [Int] = []
            func decode(_ bytes: ArraySlice<UInt8>, most: Int) -> [UInt8] {
                asked.append(most)
                isCut = asked.count == 3
                return Array(bytes)
            }
        }
        let decoder = Growing()
        var body = BodyRecord(
            fields: [HeaderField("Content-Encoding", "br")], limit: 100,
            tools: DecodingTools(content: { _, _ in decoder }))
        for count in [1000, 500, 1, 1] { body.add([UInt8](repeating: 0, count: count)[...]) }
        body.end()
        let unearned = BodyRecord.unearned
        #expect(decoder.asked == [unearned + 100_000, unearned + 150_000, unearned + 150_100])
        #expect(body.body.decodedSize == nil && body.body.size == 1502)
    }

    @Test("one with large heads is told more seldom, and in any case when it is over")
    func largeHeads() throws {
        let flow = OpenFlow(
            Flow(id: 1, kind: .http, state: .open, started: 0), began: 0, limits: ConnectionRecorder.Limits(),
            tools: DecodingTools())
        #expect(flow.isDue() && flow.isDue())
        let fields = [HeaderField("x", String(repeating: "x", count: 200 * 1024))]
        flow.asked(RequestHead(method: "GET", target: "/", version: "HTTP/1.1", fields: fields))
        #expect((0..<8).map { _ in flow.isDue() } == [false, false, false, true, false, false, false, true])
        flow.over(.complete, at: 1)
        #expect(flow.isDue() && flow.isDue())
    }
}
