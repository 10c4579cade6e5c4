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
}
