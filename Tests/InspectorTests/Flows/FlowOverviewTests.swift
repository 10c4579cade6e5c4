import Facts
import Flows
import Testing

@testable import Inspector

struct FlowOverviewTests {
    private func overview(_ width: Int? = nil, isColored: Bool = false, _ change: (inout Flow) -> Void = { _ in })
        -> [String]
    {
        var flow = Flow(id: 7, kind: .http, state: .complete, started: 0)
        flow.client = Flow.Client(address: "127.0.0.1:50123")
        flow.server = Flow.Server(host: "api.example.com", port: 443, address: "203.0.113.7:443")
        flow.method = "GET"
        flow.url = "https://api.example.com/v1/users"
        flow.status = 200
        flow.version = "h2"
        flow.durationMS = 41
        change(&flow)
        return FlowOverview.text(flow, width: width, isColored: isColored).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .map(String.init)
    }

    @Test("an answer of HTTP/2 has no reason, and no blank in its place")
    func reason() {
        #expect(overview { $0.response = FlowSide(reason: "") }[1] == "200, 41 ms, h2")
        #expect(overview { $0.response = FlowSide(reason: "OK") }[1] == "200 OK, 41 ms, h2")
    }

    private static let twoLegs = FlowTLS(
        version: "TLSv1.3", ja4: "t13d1516h2_8daaf6152771_02713d6af862",
        upstream: FlowTLS.Upstream(
            version: "TLSv1.3", ja4: "t12i0708h1_aaaaaaaaaaaa_bbbbbbbbbbbb",
            chain: ["CN=leaf", "CN=issuer"].map {
                CertificateFacts(
                    subject: $0, issuer: "CN=x", notAfter: "2027-01-01T00:00:00Z", sha256: "01",
                    spkiSHA256: "02")
            }))

    @Test("the origin's chain stands below its handshake, and what JA4 shows below that, as wide as the terminal")
    func tls() throws {
        let lines = overview(80) {
            $0.tls = Self.twoLegs
        }
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        // None of it is a field of a head, whose names are in colour.
        #expect(!overview(isColored: true) { $0.tls = Self.twoLegs }.joined().contains("\u{1b}[34m"))
        let server = try #require(lines.firstIndex { $0.hasPrefix("  server TLSv1.3") })
        #expect(
            lines[(server + 1)...].prefix(4) == [
                "  chain  CN=leaf, valid until 2027-01-01T00:00:00Z",
                "         CN=issuer, valid until 2027-01-01T00:00:00Z",
                "  note   a server that goes by JA4 may notice the proxy, which offers TLS up to",
                "         1.2 (the app 1.3), no server name (the app one), 7 cipher suites (the",
            ])
    }

    @Test("why it failed and what to do break between words, below where they begin")
    func failure() {
        let lines = overview(50) {
            $0.failure = FlowFailure(
                .originRefused, leg: .origin, text: "api.example.com:443 refused the connection: connection refused",
                hint: "is the server running, and on this port of all?")
        }
        #expect(
            lines.suffix(5) == [
                "failed: api.example.com:443 refused the", "        connection: connection refused",
                "what to do: is the server running, and on this", "            port of all?", "",
            ])
    }

    @Test("who was called through an upstream proxy is not told as the server's address")
    func upstreamProxy() {
        #expect(overview().contains("server   api.example.com:443 at 203.0.113.7:443"))
        #expect(
            overview { $0.server.proxy = "10.0.0.1:3128" }.contains(
                "server   api.example.com:443 through the upstream proxy 10.0.0.1:3128"))
    }

    @Test("a body that is kept says how it is shown; one that was cut, who did it")
    func body() {
        let whole = overview { $0.response = FlowSide(body: FlowBody(size: 14, kept: 14, type: "text/plain")) }
        #expect(whole.contains("body: 14 B, text/plain; shown by --body response"))
        let none = overview { $0.request = FlowSide(body: FlowBody(size: 14, kept: 0)) }
        #expect(none.contains("body: 14 B, cut after 0 B (--max-body)"))
        let imported = overview {
            $0.client = Flow.Client()
            $0.response = FlowSide(body: FlowBody(size: 2000, kept: 14))
        }
        #expect(imported.contains("body: 2 kB, 14 B of it were in the imported file; shown by --body response"))
        #expect(overview { $0.messages = 3 }.contains("messages 3; shown by --messages"))
    }
}
