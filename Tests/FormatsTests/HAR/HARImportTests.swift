import Facts
import Flows
import Formats
import Testing

/// HAR as other programs write it, shortened.
@Suite struct HARImportTests {
    private func read(_ entries: String) -> [ImportStep] {
        var reader = HARReader()
        let text = "\u{feff}{\"log\": {\"version\": \"1.2\", \"entries\": [\(entries)], \"x\": [{}]}}"
        return reader.read(Array(text.utf8)[...]) + reader.finish()
    }

    private func one(_ entry: String) throws -> RecordedFlow {
        let steps = read(entry)
        #expect(steps.faults == [])
        return try #require(steps.flows.first)
    }

    @Test("Chrome: HTTP/2, pseudo-headers, a compressed answer, timings")
    func chrome() throws {
        let flow = try one(
            #"""
            {"_connectionId": "81", "_initiator": {"type": "other"}, "_priority": "High", "_resourceType": "fetch",
             "cache": {}, "connection": "443", "pageref": "page_1", "serverIPAddress": "[2606:2800::1]",
             "request": {"method": "POST", "url": "https://api.example.com/v1?x=1", "httpVersion": "http/2.0",
              "headers": [{"name": ":authority", "value": "api.example.com"}, {"name": "content-type", "value": "application/json"}],
              "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 7,
              "postData": {"mimeType": "application/json", "text": "{\"a\":1}"}},
             "response": {"status": 200, "statusText": "", "httpVersion": "http/2.0",
              "headers": [{"name": "content-encoding", "value": "br"}, {"name": "content-type", "value": "text/html"}], "cookies": [],
              "content": {"size": 5, "mimeType": "text/html", "compression": 2, "text": "hello"},
              "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 300, "_error": null},
             "startedDateTime": "2026-01-01T00:00:00.500Z", "time": 66.5,
             "timings": {"blocked": 1.5, "dns": 2, "ssl": 20, "connect": 30, "send": 1, "wait": 30, "receive": 2, "_blocked_queueing": 1}}
            """#)
        #expect(flow.flow.kind == .http && flow.flow.state == .complete && flow.flow.version == "h2")
        #expect(flow.flow.started == 1_767_225_600.5 && flow.flow.durationMS == 66.5)
        #expect(flow.flow.server == Flow.Server(host: "api.example.com", port: 443, address: "[2606:2800::1]:443"))
        #expect(
            flow.flow.timing
                == FlowTiming(
                    blockedMS: 3.5, connectMS: 10, tlsMS: 20, sentMS: 34.5, firstByteMS: 64.5, lastByteMS: 66.5))
        #expect(flow.flow.request?.headers == [HeaderField("content-type", "application/json")])
        #expect(flow.request == RecordedBody(plain: Sample.bytes(#"{"a":1}"#)))
        #expect(flow.response == RecordedBody(wire: nil, decoded: Sample.bytes("hello")))
        #expect(flow.flow.response?.body?.encoding == nil && flow.flow.connection == 443)
    }

    @Test("what a browser counted is written again as it was: its start, its time, and their parts in sum")
    func timesAgain() throws {
        let flow = try one(
            #"""
            {"request": {"method": "GET", "url": "https://a.test/"}, "response": {"status": 200},
             "startedDateTime": "2026-01-01T00:00:00.500Z", "time": 500,
             "timings": {"blocked": 300, "dns": 50, "ssl": 20, "connect": 30, "send": 10, "wait": 90, "receive": 20}}
            """#)
        var writer = HARWriter(version: "1.0")
        let bytes = writer.begin() + writer.entry(flow) + writer.end()
        let json = try #require(try JSONValue.parse(bytes)["log"]?["entries"]?.array?.first)
        #expect(json["startedDateTime"]?.string == "2026-01-01T00:00:00.500000Z" && json["time"]?.double == 500)
        let timings = try #require(json["timings"])
        let names = ["blocked", "connect", "ssl", "send", "wait", "receive"]
        #expect(names.map { timings[$0]?.double } == [350, 30, 20, 10, 90, 20])
        #expect(flow.flow.durationMS == 500 && flow.flow.timing.lastByteMS == 500)
    }

    @Test("a text is made the bytes of the charset that its header names, which everything else goes by")
    func charset() throws {
        let bytes: [UInt8] = [0x63, 0x61, 0x66, 0xe9]
        let entry = #"""
            {"request": {"method": "GET", "url": "https://a.test/"},
             "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "text/plain; charset=iso-8859-1"}],
              "bodySize": 4, "content": {"size": 4, "text": "café"}},
             "startedDateTime": "2026-01-01T00:00:00Z"}
            """#
        let file = Sample.bytes(#"{"log": {"entries": [\#(entry)]}}"#)
        for isKnown in [true, false] {
            var reader = HARReader { text, charset in
                #expect(text == "caf\u{e9}" && charset == "iso-8859-1")
                return isKnown ? bytes : nil
            }
            guard case .flow(let flow)? = (reader.read(file[...]) + reader.finish()).first else {
                Issue.record("no flow")
                return
            }
            #expect(flow.response.shown == (isKnown ? bytes : Sample.bytes("caf\u{e9}")))
            if isKnown { #expect(flow.flow.response?.body?.isCut == false && flow.response.wire == bytes) }
        }
    }

    @Test("Firefox counts an answer's head as well: a body without a coding is as long as its content")
    func firefoxSizes() throws {
        let flow = try one(
            #"""
            {"request": {"method": "GET", "url": "https://a.test/"},
             "response": {"status": 200, "headers": [], "bodySize": 210, "headersSize": 200, "content": {"size": 10, "text": "0123456789"}},
             "startedDateTime": "2026-01-01T00:00:00Z"}
            """#)
        #expect(flow.flow.response?.body?.size == 10 && flow.flow.response?.body?.isCut == false)
        #expect(flow.response == RecordedBody(plain: Sample.bytes("0123456789")))
    }

    @Test("Chrome: a WebSocket, and requests that failed")
    func chromeOthers() throws {
        let socket = try one(
            #"""
            {"_resourceType": "websocket", "_webSocketMessages": [
              {"type": "send", "time": 1767225601.5, "opcode": 1, "data": "hi"},
              {"type": "receive", "time": 1767225602, "opcode": 2, "data": "AP8="}],
             "request": {"method": "GET", "url": "wss://chat.example.com/", "httpVersion": "http/1.1", "headers": []},
             "response": {"status": 101, "statusText": "Switching Protocols", "headers": [], "content": {"size": 0, "mimeType": ""}},
             "startedDateTime": "2026-01-01T01:00:00.000+01:00", "time": null}
            """#)
        #expect(socket.flow.kind == .websocket && socket.flow.messages == 2)
        #expect(
            socket.messages[0]
                == FlowMessage(index: 0, atMS: 1500, ExchangeMessage(from: .up, .text, Sample.bytes("hi"))))
        #expect(socket.messages[1].message == ExchangeMessage(from: .down, .binary, [0, 0xff]))
        let failed = try one(
            #"""
            {"request": {"method": "GET", "url": "https://gone.example/", "headers": []}, "time": 1,
             "response": {"status": 0, "statusText": "", "headers": [], "content": {"size": 0, "mimeType": "x-unknown"},
              "_error": "net::ERR_NAME_NOT_RESOLVED"}, "startedDateTime": "2026-01-01T00:00:00Z"}
            """#)
        #expect(failed.flow.kind == .failure && failed.flow.state == .aborted && failed.flow.status == nil)
        #expect(failed.flow.failure?.id == .originNameNotFound)
        #expect(failed.flow.response == nil)
    }

    @Test("Firefox, Safari: bodies that are missing, cookies, words for versions")
    func others() throws {
        let firefox = try one(
            #"""
            {"startedDateTime": "2026-01-01T00:00:00.000+02:00", "_securityState": "secure", "pageref": "page_1",
             "request": {"bodySize": 0, "method": "GET", "url": "http://a.example:8080/x", "httpVersion": "HTTP/2",
              "headers": [{"name": "Host", "value": "a.example:8080"}], "cookies": [], "queryString": [], "headersSize": 100},
             "response": {"status": 404, "statusText": "Not Found", "httpVersion": "HTTP/2", "headers": [], "cookies": [],
              "content": {"mimeType": "text/html; charset=utf-8", "size": 1234}, "redirectURL": "", "headersSize": 10, "bodySize": 600},
             "cache": {}, "timings": {"blocked": 0, "dns": 0, "connect": 0, "ssl": 0, "send": 0, "wait": 5, "receive": 0}, "time": 5}
            """#)
        #expect(firefox.flow.server.port == 8080)
        #expect(firefox.response == RecordedBody())
        #expect(firefox.flow.response?.body == FlowBody(size: 600, decodedSize: 1234, kept: 0, type: "text/html"))
        let safari = try one(
            #"""
            {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "_fetchType": "Network Load", "_priority": "medium",
             "request": {"method": "GET", "url": "https://a.example/i.png", "httpVersion": "HTTP/3", "cookies": [], "headers": []},
             "response": {"status": "200", "statusText": "", "httpVersion": "HTTP/3", "headers": [],
              "content": {"size": 2, "mimeType": "image/png", "text": "iVA=", "encoding": "base64"}, "bodySize": 2},
             "timings": {"blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": -1, "wait": 1, "receive": -1}}
            """#)
        #expect(safari.flow.status == 200 && safari.flow.state == .complete)
        #expect(safari.flow.version == "h3" && safari.response == RecordedBody(plain: [0x89, 0x50]))
        #expect(safari.flow.timing == FlowTiming(sentMS: 0, firstByteMS: 1, lastByteMS: 1))
    }

    @Test("Charles, Proxyman, mitmproxy: nulls, CONNECT, parameters without text")
    func proxies() throws {
        let charles = try one(
            #"""
            {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 12, "comment": null, "serverIPAddress": null,
             "request": {"method": "CONNECT", "url": "https://a.example:443", "httpVersion": "HTTP/1.1", "headers": null,
              "postData": null, "headersSize": 0, "bodySize": 0}, "response": {"_charlesStatus": "COMPLETE", "status": 200,
              "headers": [], "content": null}, "timings": {"send": 0, "wait": null, "receive": 0}}
            """#)
        #expect(charles.flow.kind == .tunnel && charles.flow.comment == nil)
        let proxyman = try one(
            #"""
            {"_id": "57", "_isHTTPS": true, "_clientName": "App", "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 3.1,
             "request": {"method": "POST", "url": "https://a.example/", "headers": [{"name": "X", "value": null}], "bodySize": 3,
              "postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a b", "value": "1"}]}},
             "response": {"status": 204, "headers": [], "content": {"text": null, "size": 0}}}
            """#)
        #expect(proxyman.request.decoded == Sample.bytes("a%20b=1"))
        #expect(proxyman.flow.request?.headers == [HeaderField("X", "")])
        #expect(proxyman.response == RecordedBody())
        let mitmproxy = try one(
            #"""
            {"startedDateTime": "2026-01-01T00:00:00.000123+00:00", "time": 4,
             "request": {"method": "GET", "url": "https://a.example/", "httpVersion": "HTTP/2.0", "headers": {"a": "b"}},
             "response": {"status": 200, "statusText": "", "httpVersion": "HTTP/2.0", "headers": [],
              "content": {"size": 3, "compression": -1, "mimeType": "", "text": "not base64!", "encoding": "base64"}},
             "timings": {"connect": -1.0, "ssl": -1.0, "send": 1, "receive": 1, "wait": 2}}
            """#)
        #expect(mitmproxy.flow.request?.headers == [HeaderField("a", "b")])
        #expect(mitmproxy.response.decoded == Sample.bytes("not base64!"))
        #expect(mitmproxy.flow.version == "h2")
    }

    @Test("an entry without a start or a URL is told with its number")
    func faults() {
        let steps = read(
            #"{"request": {"url": "http://a/"}}, {"startedDateTime": "2026-01-01T00:00:00Z", "request": {}}, {"request": nul}"#
        )
        #expect(steps.faults.map(\.place) == ["entry 1", "entry 2", "entry 3, byte 13"])
    }
}
