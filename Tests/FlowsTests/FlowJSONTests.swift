import Facts
import Testing

@testable import Flows

struct FlowJSONTests {
    static let whole: Flow = {
        var flow = Flow(id: 1042, kind: .http, state: .complete, started: 1_767_225_600.123456)
        flow.connection = 317
        flow.stream = 5
        flow.durationMS = 12.3
        flow.client = Flow.Client(address: "127.0.0.1:50123", name: "pixel-8")
        flow.server = Flow.Server(
            host: "api.example.com", port: 443, address: "203.0.113.7:443", proxy: "203.0.113.7:443")
        flow.scheme = "https"
        flow.method = "POST"
        flow.url = "https://api.example.com/v1/login?x=1"
        flow.status = 200
        flow.version = "h2"
        flow.request = FlowSide(
            headers: [HeaderField("content-type", "application/json"), HeaderField("x", "\u{e9}", isLatin1: true)],
            trailers: [HeaderField("t", "1")],
            body: FlowBody(
                size: 17, decodedSize: 20, sha256: "ab", kept: 17, encoding: "gzip", type: "application/json"))
        flow.request?.target = RequestTarget("/v1/login?x=\u{e9}", isLatin1: true)
        flow.response = FlowSide(
            reason: "OK", headers: [], body: FlowBody(size: 3, kept: 1, shed: 2),
            informational: [FlowSide.Interim(status: 103, reason: "Early", headers: [HeaderField("link", "a")])])
        flow.response?.version = "HTTP/1.0"
        flow.messages = 12
        flow.tags = ["graphql:Login", "sse"]
        flow.timing = FlowTiming(
            connectMS: 1.2, tlsMS: 3.4, clientTLSMS: 2.1, sentMS: 0.1, firstByteMS: 8, lastByteMS: 12.3)
        flow.tls = FlowTLS(
            version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", alpn: "h2", sni: "api.example.com", ja4: "t13d",
            upstream: FlowTLS.Upstream(
                version: "TLSv1.3", cipher: "x", alpn: "h2", ja4: "t13i",
                chain: [
                    CertificateFacts(
                        subject: "CN=a", issuer: "CN=b", notAfter: "2027-01-01T00:00:00Z", sha256: "01",
                        spkiSHA256: "02")
                ]))
        flow.failure = FlowFailure(
            .clientRefusedCertificate, leg: .client, alert: "unknown_ca", text: "no \"trust\"", hint: "trust it")
        flow.undecodable = Flow.Undecodable(at: 123, why: "nonsense")
        flow.mark = "red"
        flow.comment = "look here"
        return flow
    }()

    @Test("a flow is read back as it was written")
    func roundTrip() throws {
        #expect(try Flow(json: JSONValue.parse(Self.whole.json)) == Self.whole)
        let bare = Flow(id: 1, kind: .raw, state: .open, started: 0)
        #expect(try Flow(json: JSONValue.parse(bare.json)) == bare)
    }

    @Test("flow after flow is written as each of them alone is, whatever they have in common")
    func encoder() {
        var encoder = FlowEncoder()
        var other = Self.whole
        other.id = 7
        other.tls = FlowTLS(version: "TLSv1.2", sni: "other.example.com")
        var bare = Self.whole
        bare.tls = nil
        for flow in [Self.whole, other, Self.whole, bare, other] { #expect(encoder.json(flow) == flow.json) }
    }

    @Test("handshakes are the same where they agreed on the same")
    func handshakes() {
        func tls(_ sni: String, _ alpn: String?) -> FlowTLS {
            FlowTLS(version: "TLSv1.3", sni: sni, upstream: FlowTLS.Upstream(alpn: alpn))
        }
        #expect(tls("a", "h2") == tls("a", "h2"))
        #expect(Set([tls("a", "h2"), tls("a", "h2"), tls("b", "h2"), tls("a", nil)]).count == 3)
    }

    @Test("what is unknown is left out")
    func absent() throws {
        let bare = Flow(id: 1, kind: .raw, state: .open, started: 0.5)
        #expect(
            String(decoding: bare.json, as: UTF8.self)
                == #"{"schema":"pinproof.flow/1","id":1,"kind":"raw","state":"open","started":"1970-01-01T00:00:00.500000Z"}"#
        )
    }

    @Test(
        "what a flow cannot be without is asked for",
        arguments: [
            (#"[]"#, "object"), (#"{"schema":"x"}"#, "schema"), (#"{}"#, "kind"), (#"{"kind":"http"}"#, "state"),
            (#"{"kind":"http","state":"open"}"#, "started"),
        ])
    func faults(text: String, word: String) throws {
        let json = try JSONValue.parse(text.utf8)
        let fault = #expect(throws: FlowFault.self) { try Flow(json: json) }
        #expect(fault?.reason.contains(word) == true)
    }
}
