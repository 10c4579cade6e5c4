import Facts
import Testing

@testable import Flows

/// What is recorded of exchanges that are not as they usually are.
struct OddExchangeTests {
    @Test("an app that gave up long before its answer came is told with the time when it did")
    func leftEarly() throws {
        for (left, words) in [(0.5, "; it ended its side 500 ms after the request began"), (5.99, "")] {
            var recording = Record()
            recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
            recording.recorder.clientEnded(at: left)
            recording.down("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", at: 6)
            recording.recorder.end(by: .init(by: .client, how: .rst, ms: 1), isAnswerLost: true, at: 6)
            _ = recording.take()
            let failure = try #require(recording.flows.last?.failure)
            #expect(failure.id == .clientGone)
            #expect(failure.text == "the app closed the connection before the answer came, and did not take it" + words)
        }
    }

    @Test("a request that was read before its server was there starts when it is, as all others do")
    func connectedLate() throws {
        var recording = Record(scheme: "http")
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n", at: 1)
        _ = recording.take()
        #expect(recording.flows.last?.started == 1_000_001)
        recording.recorder.connected(to: "203.0.113.7:80", proxy: nil, took: 1000, at: 2)
        recording.down("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", at: 2.05)
        _ = recording.take()
        let flow = try #require(recording.flows.last)
        #expect(flow.started == 1_000_002 && flow.durationMS == 50 && flow.server.address == "203.0.113.7:80")
        #expect(flow.timing == FlowTiming(connectMS: 1000, sentMS: 0, firstByteMS: 50, lastByteMS: 50))
    }

    @Test("an app that left while its server was called is told with the time since it asked")
    func leftWhileCalled() throws {
        for isShownFirst in [true, false] {
            var recording = Record(scheme: "http")
            if !isShownFirst { recording.recorder.clientEnded(at: 2) }
            recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
            if isShownFirst { recording.recorder.clientEnded(at: 2) }
            recording.recorder.connected(to: "203.0.113.7:80", proxy: nil, took: 3000, at: 3)
            recording.down("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", at: 6)
            recording.recorder.end(by: .init(by: .client, how: .rst, ms: 1), isAnswerLost: true, at: 6)
            _ = recording.take()
            let failure = try #require(recording.flows.last?.failure)
            #expect(failure.text.hasSuffix("; it ended its side 2000 ms after the request began"), "\(failure.text)")
            // What its connection's end says of it is the same, and less.
            let again = FlowFailure(
                .clientGone, leg: .client, text: "the app closed the connection before it was answered")
            var cut = try #require(recording.flows.last)
            cut.status = nil
            #expect(!again.says(moreThan: cut))
        }
    }

    @Test("HTTP/2: of two sides that say why, the first one is named")
    func farewells() throws {
        var script = HTTP2Script()
        script.ask(1, "/1")
        script.frame(.up, 7, HTTP2Script.number(0) + [0, 0, 0, 1])
        script.frame(.down, 7, HTTP2Script.number(1) + [0, 0, 0, 2])
        let flow = try recorded(script, Observation.Close(by: .origin, how: .fin, ms: 1))
        #expect(flow.failure?.text == "the client ended the connection: PROTOCOL_ERROR" && flow.failure?.leg == .client)
    }

    @Test("HTTP/2: a server that says why it ends the connection is named with its words, whoever closes it then")
    func farewell() throws {
        var script = HTTP2Script()
        script.ask(1, "/1")
        script.frame(.down, 7, HTTP2Script.number(1) + [0, 0, 0, 11] + Array("too many pings".utf8))
        for close in [Observation.Close(by: .origin, how: .fin, ms: 1), .init(by: .client, how: .fin, ms: 1)] {
            let failure = try #require(try recorded(script, close).failure)
            #expect(failure.id == .originClosed && failure.leg == .origin)
            #expect(failure.text == "the origin ended the connection: ENHANCE_YOUR_CALM (too many pings)")
        }
    }

    @Test("HTTP/2: of an upload that a server has refused in the middle only a beginning is there")
    func refusedInTheMiddle() throws {
        for isWhole in [false, true] {
            var script = HTTP2Script()
            script.ask(1, "/1", method: "POST", ends: false)
            script.data(.up, 1, "some", ends: isWhole)
            script.answer(1, 413, ends: true)
            if !isWhole { script.frame(.down, 3, stream: 1, [0, 0, 0, 0]) }
            let flow = try recorded(script, Observation.Close(by: .client, how: .fin, ms: 1))
            #expect(flow.state == .complete && flow.failure == nil && flow.status == 413)
            #expect(flow.isUnfinished(.up) == !isWhole && !flow.isUnfinished(.down))
            #expect((flow.timing.sentMS == nil) == !isWhole)
        }
    }

    private func recorded(_ script: HTTP2Script, _ close: Observation.Close) throws -> Flow {
        let tools = TestHPACK.tools()
        var recorder = ConnectionRecorder(
            ConnectionRecorder.Facts(connection: 1, scheme: "https"),
            reader: ConnectionReader(alpn: "h2", tools: tools),
            limits: ConnectionRecorder.Limits(), tools: tools, clock: FlowClock(unix: 1_000_000, monotonic: 0),
            newID: { 1 })
        for turn in script.turns { recorder.read(turn.bytes, turn.direction, at: 0) }
        recorder.end(by: close, at: 1)
        var changes: [FlowChange] = []
        recorder.take(into: &changes)
        let flows = changes.compactMap { if case .flow(let flow) = $0 { flow } else { nil } }
        return try #require(flows.last)
    }

    @Test("what follows an upgrade is content of both sides, and whoever ends it is not to blame")
    func upgraded() throws {
        var recording = Record()
        recording.up(
            "POST /attach HTTP/1.1\r\nHost: api.test\r\nUpgrade: tcp\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n"
        )
        recording.down("HTTP/1.1 101 UPGRADED\r\nUpgrade: tcp\r\nConnection: Upgrade\r\n\r\nhello")
        recording.up("ls\n")
        recording.down(" there")
        recording.recorder.clientEnded(at: 0)
        recording.end(Observation.Close(by: .client, how: .fin, ms: 9))
        let changes = recording.take()
        let flow = try #require(recording.flows.last)
        #expect(flow.state == .complete && flow.failure == nil && flow.status == 101 && flow.kind == .http)
        #expect(flow.request?.body?.sha256 == "3:ls\n" && flow.response?.body?.sha256 == "11:hello there")
        #expect(changes.contains(.body(flow: 7, .down, Array("hello there".utf8))))
    }

    @Test(
        "a request's own content stays what it was when its connection goes on as another protocol",
        arguments: [true, false])
    func upgradedBehindContent(isTakenBetween: Bool) throws {
        var recording = Record()
        recording.up("POST /exec HTTP/1.1\r\nHost: api.test\r\nUpgrade: tcp\r\nContent-Length: 4\r\n\r\njson")
        var changes = isTakenBetween ? recording.take() : []
        recording.down("HTTP/1.1 101 UPGRADED\r\nUpgrade: tcp\r\n\r\n$ ")
        recording.up("ls\n")
        recording.end(Observation.Close(by: .client, how: .fin, ms: 9))
        changes += recording.take()
        let flow = try #require(recording.flows.last)
        #expect(
            flow.state == .complete && flow.request?.body?.sha256 == "4:json" && flow.response?.body?.sha256 == "2:$ ")
        #expect(changes.contains(.body(flow: 7, .up, Array("json".utf8))))
        #expect(changes.contains(.raw(flow: 7, .up, Array("ls\n".utf8))))
    }

    @Test("a request that is made anew after a refused Expect is one of HTTP, and both say what is not known")
    func askedAnew() throws {
        var recording = Record()
        recording.up("POST /a HTTP/1.1\r\nHost: api.test\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        recording.down("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
        recording.up("POST /a HTTP/1.1\r\nHost: api.test\r\nContent-Length: 4\r\n\r\nbody")
        recording.down("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        _ = recording.take()
        let flows = Dictionary(recording.flows.map { ($0.id, $0) }) { $1 }.values.sorted { $0.id < $1.id }
        #expect(flows.map(\.status) == [417, 200] && flows.map(\.kind) == [.http, .http])
        #expect(flows.allSatisfy { $0.state == .complete && $0.undecodable?.why.contains("refused Expect") == true })
        #expect(flows.last?.request?.body?.sha256 == "4:body")
    }

    @Test("an answer that ends within its head says so, and is not called none")
    func endsWithinAHead() throws {
        for (by, words) in [
            (Observation.Close.Side.origin, "before the head of its answer was whole"),
            (.client, "before the head of the answer was whole"),
        ] {
            var recording = Record()
            recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
            recording.down("HTTP/1.1 200 OK\r\nX-A: b\r\n")
            recording.end(Observation.Close(by: by, how: .fin, ms: 9))
            _ = recording.take()
            #expect(
                recording.flows.last?.failure?.text.hasSuffix(words) == true,
                "\(recording.flows.last?.failure?.text ?? "-")")
        }
    }

    @Test(
        "a request that ends within its head says who ended it",
        arguments: [
            (Observation.Close.Side.client, Observation.Close.Kind.fin, FlowFailure.ID.clientGone),
            (.client, .rst, .clientGone), (.origin, .fin, .originClosed), (.origin, .rst, .originReset),
            (.proxy, .timeout, .proxyLimit),
        ])
    func endsWithinARequestHead(
        by: Observation.Close.Side, how: Observation.Close.Kind, failure: FlowFailure.ID
    ) throws {
        for before in ["", "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n"] {
            var recording = Record()
            recording.up(before)
            if !before.isEmpty { recording.down("HTTP/1.1 204 No Content\r\n\r\n") }
            recording.up("POST /half HTTP/1.1\r\nHost: a")
            recording.end(Observation.Close(by: by, how: how, ms: 9))
            _ = recording.take()
            let flow = try #require(recording.flows.last)
            #expect(flow.kind == .raw)
            #expect(flow.state == .aborted)
            #expect(flow.failure?.id == failure)
            #expect(
                by == .proxy || flow.failure?.text.contains("before the head of") == true,
                "\(flow.failure?.text ?? "-")")
        }
    }

    @Test(
        "a body that codes nothing by a name of its own is a body without coding",
        arguments: ["none", "UTF-8", "aws-chunked", "identity"])
    func codesNothing(name: String) throws {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.down("HTTP/1.1 200 OK\r\nContent-Encoding: \(name)\r\nContent-Length: 2\r\n\r\nok")
        _ = recording.take()
        #expect(recording.flows.last?.response?.body == FlowBody(size: 2, decodedSize: 2, sha256: "2:ok", kept: 2))
        // Chunks of another coding are none that it can be read through.
        #expect([HeaderField("Content-Encoding", "aws-chunked, gzip")].contentCodings == ["aws-chunked", "gzip"])
    }

    @Test("a socket that begins operations without end has no more tags than a batch may have")
    func tagsWithoutEnd() {
        let flow = OpenFlow(
            Flow(id: 1, kind: .websocket, state: .open, started: 0), began: 0, limits: ConnectionRecorder.Limits(),
            tools: DecodingTools())
        for index in 0..<500 {
            let text = #"{"type":"subscribe","payload":{"query":"subscription A\#(index) { a }"}}"#
            flow.tag(by: ExchangeMessage(from: .up, .text, Array(text.utf8)))
        }
        #expect(flow.flow.tags.count == FlowTags.countLimit && flow.flow.tags.first == "graphql:A0")
    }
}
