import Facts
import Testing

@testable import Flows

struct ConnectionRecorderTests {
    @Test("an exchange is one flow, with its bodies before it")
    func exchange() throws {
        var recording = Record()
        recording.up(
            "POST /v1/login?x=1 HTTP/1.1\r\nHost: api.test\r\nContent-Type: Application/JSON; charset=utf-8\r\nContent-Length: 4\r\n\r\n"
        )
        recording.up("abcd", at: 0.010)
        recording.down("HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 2\r\n\r\nok", at: 0.020)
        let changes = recording.take()
        #expect(changes.count == 3)
        #expect(changes[0] == .body(flow: 7, .up, Array("abcd".utf8)))
        #expect(changes[1] == .body(flow: 7, .down, Array("ok".utf8)))
        let flow = try #require(recording.flows.last)
        #expect(flow.kind == .http)
        #expect(flow.state == .complete)
        #expect(flow.url == "https://api.test/v1/login?x=1")
        #expect(
            flow.request?.body == FlowBody(size: 4, decodedSize: 4, sha256: "4:abcd", kept: 4, type: "application/json")
        )
        #expect(flow.response?.headers.map(\.name) == ["X-A", "x-a", "Content-Length"])
        #expect(flow.timing.sentMS == 10)
        #expect(flow.durationMS == 20)
        #expect(flow.connection == 3)
    }

    @Test("an open exchange is told with what has come so far, and again when more comes")
    func live() throws {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        #expect(recording.take().count == 1)
        #expect(recording.flows.last?.state == .open)
        #expect(recording.take().isEmpty)
        recording.down("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        let changes = recording.take()
        #expect(changes.first == .body(flow: 7, .down, Array("abc".utf8)))
        #expect(recording.flows.last?.response?.body?.size == 3)
        #expect(recording.flows.last?.response?.body?.sha256 == nil)
    }

    @Test("a tunnel is a flow while it is open, with what it has carried, and tells how it ended")
    func tunnel() throws {
        let ends: [(Observation.Close?, Flow.State, FlowFailure.ID?)] = [
            (.init(by: .client, how: .fin, ms: 9), .complete, nil),
            (.init(by: .origin, how: .fin, ms: 9), .complete, nil),
            (.init(by: .client, how: .rst, ms: 9), .aborted, nil),
            (.init(by: .origin, how: .rst, ms: 9), .aborted, .originReset),
            (.init(by: .proxy, how: .timeout, ms: 9), .aborted, .proxyLimit),
            (.init(by: .gate, how: .aborted, ms: 9), .aborted, nil), (nil, .aborted, nil),
        ]
        for (close, state, failure) in ends {
            var recording = Record()
            recording.recorder.counted(up: 0, down: 0, at: 0)
            #expect(recording.take().count == 1 && !recording.recorder.isEmpty)
            #expect(recording.flows.last?.kind == .tunnel && recording.flows.last?.state == .open)
            recording.recorder.counted(up: 517, down: 40_000, at: 0.5)
            #expect(recording.take().count == 1)
            #expect(recording.flows.last?.request?.body?.size == 517)
            #expect(recording.flows.last?.response?.body?.size == 40_000)
            #expect(recording.take().isEmpty)
            recording.recorder.end(by: close, at: 1)
            _ = recording.take()
            let flow = try #require(recording.flows.last)
            #expect(flow.id == 7 && flow.state == state && flow.durationMS == 1000 && flow.failure?.id == failure)
            #expect(flow.response?.body?.size == 40_000)
        }
    }

    @Test(
        "over TLS, an answer without a length is whole where the server has said close_notify",
        arguments: ["", "Content-Length: 9\r\n"])
    func endWithoutLength(length: String) throws {
        for how in [Observation.Close.Kind.closeNotify, .fin, .rst] {
            var recording = Record()
            recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
            recording.down("HTTP/1.1 200 OK\r\n\(length)\r\nhel")
            recording.recorder.end(by: .init(by: .origin, how: how, ms: 1), at: 1)
            _ = recording.take()
            let (flow, isWhole) = (try #require(recording.flows.last), length.isEmpty && how == .closeNotify)
            #expect(flow.state == (isWhole ? .complete : .aborted) && (flow.failure == nil) == isWhole, "\(how)")
            #expect(flow.failure?.text.contains("close_notify") ?? false == (length.isEmpty && how == .fin), "\(how)")
        }
    }

    @Test("of what is no HTTP the bytes are counted while it is open")
    func rawCounted() {
        var recording = Record()
        recording.up("\u{1}\u{2}\u{3}\n")
        _ = recording.take()
        recording.down("\u{1}\u{2}")
        _ = recording.take()
        let flow = recording.flows.last
        #expect(flow?.kind == .raw && flow?.state == .open)
        #expect(flow?.request?.body?.size == 4 && flow?.response?.body?.size == 2)
    }

    @Test("a server that ends a connection without a word has failed where the app had begun TLS, and nowhere else")
    func endedBeforeTLS() {
        for (sent, isTLS) in [("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", true), ("\u{1}\u{2}hello", false)] {
            for answer in ["", "\u{15}"] {
                var recording = Record()
                recording.up(sent)
                if !answer.isEmpty { recording.down(answer) }
                recording.end(.init(by: .origin, how: .fin, ms: 1))
                _ = recording.take()
                let (flow, hasFailed) = (recording.flows.last, isTLS && answer.isEmpty)
                #expect(flow?.kind == .raw && flow?.state == (hasFailed ? .aborted : .complete))
                #expect(flow?.failure?.id == (hasFailed ? .originClosed : nil))
            }
        }
    }

    @Test("requests on one connection are flows of their own, and the first tells how the connection came to be")
    func several() {
        var recording = Record()
        for path in ["/a", "/b"] {
            recording.up("GET \(path) HTTP/1.1\r\nHost: api.test\r\n\r\n")
            recording.down("HTTP/1.1 204 No Content\r\n\r\n")
        }
        _ = recording.take()
        #expect(recording.flows.map(\.id) == [7, 8])
        #expect(recording.flows.map(\.timing.connectMS) == [1.5, nil])
    }

    @Test("a body over the limit is cut in the record, and measured whole")
    func cut() {
        var recording = Record(bodyLimit: 3)
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.down("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabcdef")
        #expect(recording.take().contains(.body(flow: 7, .down, Array("abc".utf8))))
        let body = recording.flows.last?.response?.body
        #expect(body?.kept == 3)
        #expect(body?.size == 6)
        #expect(body?.sha256 == "6:abcdef")
    }

    @Test("bytes that the recorder had to leave out are counted, and there is no hash of what was not seen")
    func shed() {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.down("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nab")
        recording.shed(2, .down)
        recording.down("ef")
        _ = recording.take()
        let body = recording.flows.last?.response?.body
        #expect(body?.size == 6)
        #expect(body?.shed == 2)
        #expect(body?.kept == 4)
        #expect(body?.sha256 == nil)
        #expect(recording.flows.last?.state == .complete)
    }

    @Test(
        "an end in the middle is told as the side's that has made it",
        arguments: [
            (Observation.Close.Side.client, Observation.Close.Kind.fin, FlowFailure.ID.clientGone),
            (.origin, .rst, .originReset), (.origin, .fin, .originClosed), (.proxy, .timeout, .proxyLimit),
        ])
    func aborted(side: Observation.Close.Side, how: Observation.Close.Kind, id: FlowFailure.ID) {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.end(Observation.Close(by: side, how: how, ms: 1))
        _ = recording.take()
        #expect(recording.flows.last?.state == .aborted)
        #expect(recording.flows.last?.failure?.id == id)
    }

    @Test("a client that ends before its answer is whole has taken it, or was gone: the connection's end tells")
    func endsUnanswered() throws {
        for isLost in [true, false] {
            var recording = Record()
            recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
            recording.recorder.clientEnded(at: 0)
            recording.down("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", at: 0.5)
            _ = recording.take()
            #expect(recording.flows.last?.state == .open && recording.flows.last?.status == 200)
            recording.recorder.end(by: .init(by: .client, how: .fin, ms: 1), isAnswerLost: isLost, at: 1)
            _ = recording.take()
            let flow = try #require(recording.flows.last)
            #expect(flow.state == (isLost ? .aborted : .complete) && flow.durationMS == (isLost ? 1000 : 500))
            #expect(flow.failure?.id == (isLost ? .clientGone : nil) && flow.timing.lastByteMS == 500)
        }
    }

    @Test("what was answered before its client ended is whole, whatever comes of the connection")
    func endsAnswered() {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.down("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        recording.recorder.clientEnded(at: 0)
        recording.recorder.end(by: .init(by: .client, how: .fin, ms: 1), isAnswerLost: true, at: 1)
        _ = recording.take()
        #expect(recording.flows.map(\.state) == [.complete])
    }

    @Test("a client that had ended is why its request came to nothing, also where the recorder ends first")
    func endsUnasked() {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.recorder.clientEnded(at: 0)
        recording.recorder.end(by: nil, at: 1)
        _ = recording.take()
        #expect(recording.flows.last?.state == .aborted && recording.flows.last?.failure?.id == .clientGone)
    }

    @Test(
        "without TLS, an answer without a length is whole when the origin closes, and cut off by every other end",
        arguments: [
            (Observation.Close(by: .origin, how: .fin, ms: 1), Flow.State.complete, FlowFailure.ID?.none),
            (.init(by: .origin, how: .closeNotify, ms: 1), .complete, nil),
            (.init(by: .client, how: .fin, ms: 1), .complete, nil),
            (.init(by: .origin, how: .rst, ms: 1), .aborted, .originReset),
            (.init(by: .client, how: .rst, ms: 1), .aborted, .clientGone),
            (.init(by: .proxy, how: .timeout, ms: 1), .aborted, .proxyLimit),
            (.init(by: .gate, how: .aborted, ms: 1), .aborted, nil),
        ])
    func endsWithConnection(_ close: Observation.Close, state: Flow.State, id: FlowFailure.ID?) {
        var recording = Record(scheme: "http")
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.down("HTTP/1.1 200 OK\r\n\r\nhalf")
        recording.end(close)
        _ = recording.take()
        #expect(recording.flows.last?.state == state && recording.flows.last?.failure?.id == id)
        #expect(recording.flows.last?.response?.body?.size == 4)
    }

    @Test(
        "of pipelined answers each is judged by when its client ended, and what was whole stays so when too much piles up"
    )
    func pipelined() {
        for piles in [true, false] {
            var recording = Record()
            recording.up("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
            recording.down("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
            recording.recorder.clientEnded(at: 0)
            recording.down("kHTTP/1.1 200 OK\r\n\r\nha", at: 0.5)
            if piles { recording.overload() } else { recording.down("lf") }
            recording.end(.init(by: .client, how: .fin, ms: 1))
            _ = recording.take()
            let states = Dictionary(recording.flows.map { ($0.url, $0.state) }, uniquingKeysWith: { $1 })
            #expect(states["https://a/1"] == .complete && states["https://a/2"] == (piles ? .aborted : .complete))
        }
    }

    @Test("a large answer that its client did not take is told again, as cut off")
    func untaken() throws {
        for (size, state) in [(300_000, Flow.State.aborted), (1000, .complete)] {
            var recording = Record()
            recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
            recording.down("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n\(String(repeating: "x", count: size))")
            _ = recording.take()
            #expect(recording.flows.last?.state == .complete)
            recording.recorder.end(by: .init(by: .client, how: .rst, ms: 1), isAnswerLost: true, at: 1)
            _ = recording.take()
            #expect(recording.flows.last?.state == state && recording.flows.last?.response?.body?.size == size)
            #expect(recording.flows.last?.failure?.id == (state == .aborted ? .clientGone : nil))
        }
    }

    @Test("an exchange that is cut off when its answer was whole already says that the request was not")
    func answeredEarly() {
        for (side, words) in [(Observation.Close.Side.client, "its own request"), (.origin, "after its answer")] {
            var recording = Record()
            recording.up("POST / HTTP/1.1\r\nHost: api.test\r\nContent-Length: 9\r\n\r\nabc")
            recording.down("HTTP/1.1 413 x\r\nContent-Length: 2\r\n\r\nno")
            recording.end(.init(by: side, how: .fin, ms: 1))
            _ = recording.take()
            #expect(recording.flows.last?.state == .aborted)
            #expect(recording.flows.last?.failure?.text.contains(words) == true)
        }
    }

    @Test("what is no HTTP ends as a tunnel does, whoever spoke first")
    func rawEnds() {
        for (how, state) in [(Observation.Close.Kind.fin, Flow.State.complete), (.rst, .aborted)] {
            for speaksFirst in [ExchangeDirection.up, .down] {
                var recording = Record()
                if speaksFirst == .up { recording.up("\u{1}\u{2}hello") } else { recording.down("220 hello\r\n") }
                recording.end(.init(by: .origin, how: how, ms: 1))
                _ = recording.take()
                #expect(recording.flows.last?.kind == .raw && recording.flows.last?.state == state)
                #expect(recording.flows.last?.failure?.id == (state == .aborted ? .originReset : nil))
            }
        }
    }

    @Test("what the proxy's own end cuts off is marked as that")
    func stopped() {
        for close in [nil, Observation.Close(by: .gate, how: .aborted, ms: 1)] {
            var recording = Record()
            recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
            recording.recorder.end(by: close, at: 1)
            _ = recording.take()
            #expect(recording.flows.last?.state == .aborted)
            #expect(recording.flows.last?.tags == ["recording-incomplete"])
        }
    }

    @Test("who loses the rest of an answer that had begun is told so")
    func losesRest() throws {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.down("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
        recording.recorder.clientEnded(at: 0)
        recording.down("k")
        recording.recorder.end(by: .init(by: .client, how: .fin, ms: 1), isAnswerLost: true, at: 1)
        _ = recording.take()
        let failure = try #require(recording.flows.last?.failure)
        #expect(failure.id == .clientGone && failure.text.contains("before the answer was whole"))
    }

    @Test("a client that ends in the middle of an answer without a length has had enough of it")
    func endsInAnswer() {
        for endsBefore in [true, false] {
            var recording = Record()
            recording.up("GET / HTTP/1.0\r\n\r\n")
            if endsBefore { recording.recorder.clientEnded(at: 0) }
            recording.down("HTTP/1.0 200 OK\r\n\r\nha")
            if !endsBefore { recording.recorder.clientEnded(at: 0) }
            recording.down("lf")
            recording.end(.init(by: .client, how: .fin, ms: 1))
            _ = recording.take()
            #expect(recording.flows.last?.state == (endsBefore ? .complete : .aborted))
            #expect(recording.flows.last?.failure?.id == (endsBefore ? nil : .clientGone))
        }
    }

    @Test("a stream of HTTP/2 that a side gives up says whose doing that was")
    func givenUp() {
        for (leaver, id) in [
            (ExchangeStep.Leaver.reset(.up), FlowFailure.ID.clientGone), (.reset(.down), .originReset),
            (.goAway(.down), .originClosed), (.goAway(.up), .clientGone),
        ] {
            let failure = FlowFailure(givenUpBy: leaver, "the client reset the stream: CANCEL")
            #expect(failure.id == id && failure.text.hasSuffix("CANCEL") && failure.hint != nil)
        }
    }

    @Test("what is no HTTP is a raw flow with its bytes")
    func raw() {
        var recording = Record()
        recording.up("\u{1}\u{2}hello")
        let changes = recording.take()
        #expect(recording.flows.last?.kind == .raw)
        #expect(recording.flows.last?.undecodable != nil)
        #expect(changes.contains { if case .raw(7, .up, _) = $0 { true } else { false } })
    }

    @Test("what has no end of its own is sent with its last byte, however long the connection stands after that")
    func timesOfRaw() {
        var recording = Record()
        recording.up("\u{1}\u{2}hello")
        recording.down("\u{1}\u{2}", at: 0.010)
        recording.up("more", at: 0.020)
        recording.down("more", at: 0.040)
        recording.end(.init(by: .origin, how: .fin, ms: 1))
        _ = recording.take()
        let flow = recording.flows.last
        #expect(flow?.timing.sentMS == 20 && flow?.timing.lastByteMS == 40 && flow?.durationMS == 1000)
    }

    @Test("an interim answer is kept with its fields")
    func interim() {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.down("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")
        _ = recording.take()
        #expect(recording.flows.last?.response?.informational.map(\.status) == [103])
        #expect(recording.flows.last?.response?.informational.map(\.reason) == ["Early Hints"])
        #expect(recording.flows.last?.status == 204)
    }

    @Test("the version of an answer is kept where it is not the request's")
    func answeredInAnotherVersion() {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.down("HTTP/1.0 204 No Content\r\nConnection: keep-alive\r\n\r\n")
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.down("HTTP/1.1 204 No Content\r\n\r\n")
        _ = recording.take()
        #expect(recording.flows.map(\.version) == ["HTTP/1.1", "HTTP/1.1"])
        #expect(recording.flows.map { $0.response?.version } == ["HTTP/1.0", nil])
    }

    @Test("a connection of which too much had piled up says so")
    func overload() {
        var recording = Record()
        recording.up("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        recording.overload()
        _ = recording.take()
        #expect(recording.flows.last?.state == .aborted)
        #expect(recording.flows.last?.undecodable?.why.contains("could not keep up") == true)
    }
}
