import Facts
import Flows
import Formats
import Testing

@Suite struct RawMessagesTests {
    private func text(_ flow: RecordedFlow) -> String { String(decoding: RawMessages.bytes(flow), as: UTF8.self) }

    @Test("request and answer follow one another as HTTP/1")
    func plain() {
        var flow = Sample.post(Sample.bytes("hi"), headers: [HeaderField("content-length", "2")])
        flow.flow.response?.informational = [FlowSide.Interim(status: 103, headers: [HeaderField("Link", "</a>")])]
        #expect(
            text(flow) == "POST /v1/items?page=2 HTTP/1.1\r\nHost: api.example.com\r\ncontent-length: 2\r\n\r\nhi"
                + "HTTP/1.1 103 \r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"items\": []}")
    }

    @Test("a chunked body is one chunk with its trailers, and HTTP/2 has a Host")
    func chunked() {
        var flow = Sample.get()
        flow.flow.response?.headers = [HeaderField("Transfer-Encoding", "chunked")]
        flow.flow.response?.trailers = [HeaderField("X-Sum", "1")]
        #expect(text(flow).hasSuffix("chunked\r\n\r\nd\r\n{\"items\": []}\r\n0\r\nX-Sum: 1\r\n\r\n"))
        flow.flow.version = "h2"
        flow.flow.request?.headers = []
        #expect(text(flow).hasPrefix("GET /v1/items?page=2 HTTP/2\r\nHost: api.example.com\r\n\r\nHTTP/2 200 OK\r\n"))
    }

    @Test("chunks that broke off, or still come, have no end that nobody sent")
    func brokenOff() {
        var flow = Sample.brokenOff(Sample.bytes("abc"), HeaderField("Transfer-Encoding", "chunked"))
        #expect(text(flow).hasSuffix("chunked\r\n\r\n3\r\nabc\r\n"))
        flow = Sample.get()
        flow.flow.response?.headers = [HeaderField("Transfer-Encoding", "chunked")]
        flow.flow.response?.body?.decodedSize = nil
        flow.flow.state = .open
        #expect(text(flow).hasSuffix("d\r\n{\"items\": []}\r\n"))
        flow.flow.timing.lastByteMS = 2
        #expect(text(flow).hasSuffix("d\r\n{\"items\": []}\r\n0\r\n\r\n"))
    }

    @Test("the request line, an interim answer's reason and the answer's version are as they came")
    func asTheyCame() {
        var flow = Sample.get()
        flow.flow.request?.target = RequestTarget("/c\u{e9}#x", isLatin1: true)
        flow.flow.response?.version = "HTTP/1.0"
        flow.flow.response?.informational = [FlowSide.Interim(status: 100, reason: "Go on", headers: [])]
        let bytes = RawMessages.bytes(flow)
        #expect(bytes.starts(with: Sample.bytes("GET /c") + [0xe9] + Sample.bytes("#x HTTP/1.1\r\n")))
        #expect(
            String(decoding: bytes, as: UTF8.self).contains("\r\n\r\nHTTP/1.1 100 Go on\r\n\r\nHTTP/1.0 200 OK\r\n"))
    }

    @Test("what is no HTTP is its bytes")
    func raw() {
        var flow = Sample.failed()
        #expect(RawMessages.bytes(flow) == [])
        flow.rawUp = [1, 2]
        flow.rawDown = [3]
        #expect(RawMessages.bytes(flow) == [1, 2, 3])
    }
}
