import Facts
import Flows
import Policy
import Testing

@testable import Inspector

@Suite("WhyNothing")
struct WhyNothingTests {
    private func why(
        listening: String = "127.0.0.1", others: Others = .accept, rules: [String: HostExpectation] = [:],
        hasStore: Bool = true
    ) throws -> WhyNothing {
        var profile = Profile(name: "p", others: others)
        for (host, expectation) in rules {
            profile.rules.append(HostRule(pattern: try #require(HostPattern(host)), expect: expectation))
        }
        return WhyNothing(
            profile: profile, listening: Endpoint(try #require(HostName(listening)), 8080),
            machine: Set(
                ["127.0.0.1", "192.168.1.5", "10.0.0.7", "fe80::1", "2001:db8::5"].compactMap { IPAddress($0) }),
            hasStore: hasStore, began: 0)
    }

    private func flow(
        _ id: Int64, _ kind: Flow.Kind, _ host: String?, scheme: String? = nil, failure: FlowFailure.ID? = nil
    ) -> Flow {
        var flow = Flow(id: id, kind: kind, state: .open, started: 0)
        flow.server.host = host
        flow.scheme = scheme
        flow.failure = failure.map { FlowFailure($0, leg: .client, text: "x") }
        return flow
    }

    private func seen(_ flows: [Flow]) -> SeenTraffic {
        var seen = SeenTraffic()
        for one in flows { seen.note(one) }
        return seen
    }

    @Test("without any connection, it says after a minute what to set the proxy to, once")
    func empty() throws {
        var why = try why()
        #expect(why.due(SeenTraffic(), open: 0, at: 59).isEmpty)
        let said = why.due(SeenTraffic(), open: 0, at: 60)
        #expect(said.map(\.text) == ["no app has connected to the proxy"])
        #expect(said.first?.hint.contains("127.0.0.1:8080") == true && said.first?.hint.contains("--listen") == true)
        #expect(why.due(SeenTraffic(), open: 0, at: 61).isEmpty && why.atEnd(SeenTraffic()) == said)
    }

    @Test("a proxy that listens everywhere names the addresses by which others reach it")
    func everywhere() throws {
        let hint = try #require(try why(listening: "0.0.0.0").atEnd(SeenTraffic()).first?.hint)
        #expect(hint.contains("10.0.0.7:8080, 192.168.1.5:8080, 127.0.0.1:8080"))
        #expect(!hint.contains("fe80") && !hint.contains("2001"))
        let both = try #require(try why(listening: "::").atEnd(SeenTraffic()).first?.hint)
        #expect(both.contains("192.168.1.5:8080, [2001:db8::5]:8080"))
        let one = try #require(try why(listening: "192.168.1.5").atEnd(SeenTraffic()).first?.hint)
        #expect(one == "set 192.168.1.5:8080 as the proxy of the app, for HTTP and HTTPS")
    }

    @Test("once there are connections, it waits a while for one that is intercepted, and speaks once")
    func patience() throws {
        var why = try why(others: .tunnel)
        let seen = seen([flow(1, .tunnel, "a.test")])
        #expect(why.due(seen, open: 1, at: 5).isEmpty && why.due(seen, open: 1, at: 19).isEmpty)
        #expect(why.due(seen, open: 1, at: 20).count == 1 && why.isDone(seen))
        #expect(why.due(seen, open: 1, at: 200).isEmpty && why.atEnd(seen).count == 1)
    }

    @Test("a connection that is open and has shown nothing yet is waited for")
    func undecided() throws {
        var why = try why()
        #expect(why.due(SeenTraffic(), open: 1, at: 100).isEmpty && why.due(SeenTraffic(), open: 1, at: 200).isEmpty)
    }

    @Test("where something was intercepted, nothing is said", arguments: [Flow.Kind.http, .websocket, .raw])
    func intercepted(kind: Flow.Kind) throws {
        var why = try why()
        let seen = seen([flow(1, .tunnel, "a.test"), flow(2, kind, "b.test", scheme: "https")])
        #expect(why.isDone(seen) && why.due(seen, open: 0, at: 1000).isEmpty && why.atEnd(seen).isEmpty)
    }

    @Test("flows count in any order, as those that end early are told first")
    func anyOrder() {
        let seen = seen([
            flow(1, .tunnel, "a.test"), flow(3, .tunnel, "b.test"), flow(2, .http, "c.test", scheme: "https"),
        ])
        #expect(seen.hasIntercepted && seen.tunnels.count == 2)
    }

    @Test("tunnels: by rules of their own, or by `others`")
    func tunnels() throws {
        let seen = seen([flow(1, .tunnel, "a.test"), flow(2, .tunnel, "b.test"), flow(2, .tunnel, "b.test")])
        let ruled = try why(rules: ["a.test": .tunnel, "b.test": .tunnel]).atEnd(seen)
        #expect(
            ruled.map(\.text) == ["2 connections passed unread (a.test and b.test): the profile lets these hosts pass"])
        #expect(ruled.first?.hint.contains("expect: tunnel") == true)
        let unnamed = try why(others: .tunnel, rules: ["a.test": .tunnel]).atEnd(seen)
        #expect(unnamed.first?.hint.contains("others: accept") == true)
    }

    @Test("refusals come first, then what passed, then what is in the clear, then all else in one line")
    func order() throws {
        let seen = seen([
            flow(1, .http, "plain.test", scheme: "http"), flow(2, .tunnel, "t.test"),
            flow(3, .failure, "a.test", failure: .clientRefusedCertificate),
            flow(4, .failure, "a.test", failure: .clientRefusedCertificate),
            flow(5, .failure, "b.test", failure: .clientClosedAfterHandshake),
            flow(6, .failure, "c.test", failure: .originRefused), flow(7, .failure, "d.test", failure: .clientGone),
            flow(8, .raw, "r.test", scheme: "http"),
        ])
        let texts = try why(others: .tunnel).atEnd(seen).map(\.text)
        let beginnings = [
            "2 handshakes failed because the app refused the proxy's certificate (a.test)",
            "1 connection ended after the handshake without a request (b.test)", "1 connection passed unread (t.test)",
            "1 request came in plain HTTP (plain.test)",
            "1 connection carried something that is neither TLS nor HTTP (r.test)",
            "2 connections came to nothing: client-gone (d.test), origin-refused (c.test)",
        ]
        #expect(texts.count == beginnings.count)
        for (text, beginning) in zip(texts, beginnings) { #expect(text.hasPrefix(beginning)) }
        #expect(try why(hasStore: false).atEnd(seen).last?.hint.contains("-v") == true)
    }

    @Test("only health checks: connections that asked for no host")
    func probes() throws {
        var seen = SeenTraffic()
        for number in 1...3 as ClosedRange<UInt64> { seen.note(Observation(connection: number)) }
        #expect(
            try why().atEnd(seen).map(\.text) == [
                "3 connections asked for no host: a health check, or a program that does not use the proxy as one"
            ])
    }

    @Test("where nothing is recorded, what connections came to is told by their ends")
    func unrecorded() throws {
        var seen = SeenTraffic()
        var tunnel = Observation(connection: 1, via: .connect)
        tunnel.host = HostName("a.test")
        tunnel.action = .tunnelled
        seen.noteUnrecorded(tunnel)
        #expect(seen.tunnels.count == 1 && seen.connections == 1 && !seen.hasIntercepted)
        var plain = Observation(connection: 2, via: .http)
        plain.action = .forwarded
        seen.noteUnrecorded(plain)
        #expect(seen.plain.count == 1)
        seen.noteUnrecorded(Observation(connection: 3))
        #expect(seen.probes == 1)
        var whole = tunnel
        whole.action = .intercepted
        whole.bytesUp = 10
        whole.flight = Observation.Flight(ms: 1, delivered: true)
        whole.finishedMS = 2
        seen.noteUnrecorded(whole)
        #expect(seen.hasIntercepted)
    }

    @Test("a client that makes up names fills neither the memory nor the terminal")
    func manyNames() throws {
        let seen = seen((1...500).map { flow($0, .tunnel, "\u{1b}\($0).test") })
        #expect(seen.tunnels.count == 500 && seen.tunnels.hosts.count == SeenTraffic.Group.limit)
        #expect(try why(others: .tunnel).atEnd(seen).allSatisfy { !$0.text.contains("\u{1b}") })
    }
}
