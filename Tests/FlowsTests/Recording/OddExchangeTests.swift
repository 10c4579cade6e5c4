import Facts
import Testing

@testable import Flows

/// What is recorded of exchanges that are not as they usually are.
struct OddExchangeTests {
    @Test("what follows an upgrade is content of both sides, and whoever ends it is not to blame")
    func upgraded() throws {
        var recording = Record()
        recording.up(
            "POST /attach HTTP/1.1\r\nHost: api.test\r\nUpgrade: tcp\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n"
        )
        recording.down("HTTP/1.1 101 UPGRADED\r\nUpgrade: tcp\r\nConnection: Upgrade\r\n\r\nhello")
        recording.up("ls\n")
        recording.down(" there")
        recording.recorder.clientEnded()
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
