import Facts
import Flows
import Formats
import Testing

@Suite struct CharlesReaderTests {
    private let text = #"""
        [{"status": "COMPLETE", "method": "POST", "protocolVersion": "HTTP/2.0", "scheme": "https", "host": "api.example.com",
          "port": null, "actualPort": 443, "path": "/v1", "query": "a=[1]", "tunnel": false, "keptAlive": false, "webSocket": false,
          "remoteAddress": "api.example.com/203.0.113.7", "clientAddress": "/127.0.0.1:50123", "notes": "look",
          "times": {"start": "2026-01-01T01:00:00.250+01:00", "end": "2026-01-01T01:00:00.350+01:00"},
          "durations": {"total": 100, "dns": null, "connect": 10, "ssl": 20, "request": 1, "response": 2, "latency": 50},
          "request": {"sizes": {"headers": 90, "body": 2}, "mimeType": "text/plain",
           "header": {"firstLine": "POST /v1 HTTP/1.1", "headers": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]},
           "body": {"text": "hi", "charset": "UTF-8"}},
          "response": {"status": 200, "sizes": {"headers": 90, "body": 10}, "mimeType": "image/png", "contentEncoding": null,
           "header": {"firstLine": "HTTP/2.0 200 Fine by me", "headers": []}, "body": {"encoding": "base64", "encoded": "iVA="}}},
         {"status": "FAILED", "errorMessage": "no route", "method": "GET", "scheme": "http", "host": "gone.example", "path": "/",
          "times": {"start": "2026-01-01T00:00:00Z"}, "request": {}, "response": null}, {"host": "x"}]
        """#

    @Test("transactions become flows")
    func flows() throws {
        var reader = CharlesReader()
        let steps = reader.read(Sample.bytes(text)[...]) + reader.finish()
        let first = try #require(steps.flows.first)
        #expect(first.flow.url == "https://api.example.com/v1?a=[1]" && first.flow.version == "h2")
        #expect(first.flow.server.address == "203.0.113.7:443" && first.flow.client.address == "127.0.0.1:50123")
        #expect(first.flow.started == 1_767_225_600.25 && first.flow.comment == "look")
        #expect(first.flow.request?.headers == [HeaderField("A", "1"), HeaderField("A", "2")])
        #expect(first.request == RecordedBody(plain: Sample.bytes("hi")))
        #expect(first.response.decoded == [0x89, 0x50] && first.flow.response?.reason == "Fine by me")
        #expect(
            first.flow.timing
                == FlowTiming(
                    blockedMS: 0, connectMS: 10, tlsMS: 20, sentMS: 31, firstByteMS: 81, lastByteMS: 83))
        #expect(steps.flows.last?.flow.failure?.text == "no route")
        #expect(steps.faults.map(\.place) == ["transaction 3"])
    }

    @Test("cut anywhere, it says so")
    func cut() {
        let bytes = Sample.bytes(text)
        for count in 0..<bytes.count {
            var reader = CharlesReader()
            let steps = reader.read(bytes.prefix(count)) + reader.finish()
            #expect(!steps.faults.isEmpty)
        }
    }
}
