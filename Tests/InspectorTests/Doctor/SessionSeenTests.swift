import Facts
import Flows
import Testing

@testable import Inspector

@Suite("SessionSeen")
struct SessionSeenTests {
    /// Newest first, as they are read.
    static func seen(_ flows: [Flow]) -> SessionSeen {
        var seen = SessionSeen()
        for flow in flows { seen.note(flow) }
        return seen
    }

    static func flow(
        _ kind: Flow.Kind, _ host: String?, failure: FlowFailure.ID? = nil, text: String = "x", altSvc: String? = nil,
        issuer: String? = nil
    ) -> Flow {
        var flow = Flow(id: 1, kind: kind, state: .complete, started: 0)
        flow.server.host = host
        flow.scheme = "https"
        flow.failure = failure.map { FlowFailure($0, leg: .client, text: text, hint: "do this") }
        if let altSvc { flow.response = FlowSide(headers: [HeaderField("Alt-Svc", altSvc)]) }
        if let issuer {
            let last = CertificateFacts(subject: "CN=x", issuer: issuer, notAfter: "", sha256: "", spkiSHA256: "")
            flow.tls = FlowTLS(upstream: FlowTLS.Upstream(chain: [last]))
        }
        return flow
    }

    @Test("a host is as its newest flow is: what was mended is no fault any more, what broke is one")
    func newest() {
        let seen = Self.seen([
            Self.flow(.http, "mended.test"), Self.flow(.failure, "broken.test", failure: .clientRefusedCertificate),
            Self.flow(.failure, "mended.test", failure: .clientRefusedCertificate), Self.flow(.http, "broken.test"),
            Self.flow(.failure, "broken.test", failure: .clientRefusedCertificate), Self.flow(.tunnel, "bank.test"),
        ])
        #expect(seen.outcomes == ["mended.test": .decrypted, "broken.test": .refused, "bank.test": .passed])
        #expect(seen.group(.refused).count == 2 && seen.group(.refused).hosts == ["broken.test"])
    }

    @Test("a spare connection that was closed unused says nothing of a host that works")
    func spare() {
        let closed = Self.flow(.failure, "a.test", failure: .clientClosedAfterHandshake)
        #expect(Self.seen([closed, Self.flow(.http, "a.test"), closed]).outcomes == ["a.test": .decrypted])
        #expect(Self.seen([closed, closed]).group(.closed).count == 2)
        let refused = Self.flow(.failure, "a.test", failure: .clientRefusedCertificate)
        #expect(Self.seen([closed, refused]).outcomes == ["a.test": .closed])
    }

    @Test("the proxy's own pages, plain HTTP and failures of the network say nothing")
    func others() {
        var plain = Self.flow(.http, "plain.test")
        plain.scheme = "http"
        let seen = Self.seen([
            plain, Self.flow(.failure, "check.pinproof.test", failure: .clientRefusedCertificate),
            Self.flow(.http, "pinproof.test"), Self.flow(.failure, "down.test", failure: .originUnreachable),
            Self.flow(.failure, nil, failure: .clientNotTLS),
        ])
        #expect(seen.outcomes.isEmpty && seen.flows == 5)
    }

    @Test(
        "HTTP/3 is offered under its names, and by nothing else",
        arguments: [
            ("h3=\":443\"; ma=86400", true), ("h2=\":443\", h3-29=\":443\"", true), ("quic=\":443\"; v=\"46\"", true),
            ("h2=\"alt.test:443\"", false), ("clear", false), ("", false),
        ])
    func quic(value: String, offers: Bool) {
        #expect(SessionSeen.offersHTTP3(value) == offers)
        #expect(Self.seen([Self.flow(.http, "a.test", altSvc: value)]).quic.hosts == (offers ? ["a.test"] : []))
    }

    @Test("issuers have their hosts, and the owners of these")
    func issuers() {
        let seen = Self.seen(
            ["a.one.test", "b.one.test", "two.test", "a.one.test", "192.0.2.1"].map {
                Self.flow(.http, $0, issuer: "CN=R")
            })
        #expect(seen.issuers["CN=R"]?.hosts == ["a.one.test", "b.one.test", "two.test", "192.0.2.1"])
        #expect(seen.issuers["CN=R"]?.owners == ["one.test", "two.test"])
    }
}
