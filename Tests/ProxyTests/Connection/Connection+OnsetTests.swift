import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Connection+Onset", .timeLimit(.minutes(15)))
struct ConnectionOnsetTests {
    /// An origin that answers until the client goes.
    private func bench(_ variant: String, version: TLSVersion? = nil) throws -> (ProxyBench, ScriptedOrigin) {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), version: version) { tls in
            while true {
                _ = try tls.read(until: "\r\n\r\n")
                try tls.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\ngenuine\n")
            }
        }
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: .laterConnection, variant: variant)
        return (bench, origin)
    }

    private func ask(_ client: TestTLS) throws {
        try client.write(request)
        _ = try client.read(until: "genuine\n")
    }

    private func visit(_ bench: ProxyBench) async throws -> Observation {
        let client = try bench.visitor()
        try ask(client)
        try client.closeNotify()
        client.socket.close()
        return try await bench.observation()
    }

    @Test(
        "the first connections are tunnelled and noted as such, the next one on the other loop is attacked",
        arguments: [("second", 1, 2), ("third", 2, 1)], [TLSVersion.tls12, .tls13])
    func later(variant: (name: String, spared: Int, attacked: Int), version: TLSVersion) async throws {
        let (bench, origin) = try bench(variant.name, version: version)
        defer { withExtendedLifetime(origin) {} }
        for _ in 0..<variant.spared {
            let one = try await visit(bench)
            #expect(one.action == .tunnelled && one.attack == .passthrough && one.variant == nil)
            #expect(one.passthroughData && one.requests == 1 && one.presented.isEmpty && one.upstream == nil)
        }
        for _ in 0..<variant.attacked {
            let one = try await visit(bench)
            #expect(one.action == .intercepted && one.attack == "later-connection" && one.variant == variant.name)
            #expect(one.bytesUp > 0 && one.status == 200 && one.presented.count == 1)
        }
        #expect(try await visit(bench).action == (variant.attacked == 1 ? .tunnelled : .intercepted))
    }

    @Test("in an outage the first connections are reset without a certificate", arguments: [1, 3])
    func outage(count: Int) async throws {
        let (bench, origin) = try bench(count == 1 ? "after-reset" : "after-3-resets")
        defer { withExtendedLifetime(origin) {} }
        for _ in 0..<count {
            #expect(throws: (any Error).self) { try bench.visitor() }
            let one = try await bench.observation()
            #expect(one.action == .intercepted && one.attack == "later-connection" && one.presented.isEmpty)
            #expect(one.flight == nil && one.close?.by == .proxy && one.close?.how == .rst && one.bytesUp == 0)
        }
        let one = try await visit(bench)
        #expect(one.action == .intercepted && one.presented.count == 1 && one.bytesUp > 0 && one.status == 200)
    }

    @Test("each trial begins anew")
    func anew() async throws {
        let (bench, origin) = try bench("second")
        defer { withExtendedLifetime(origin) {} }
        #expect(try await visit(bench).action == .tunnelled)
        #expect(try await visit(bench).action == .intercepted)
        try await bench.apply(.laterConnection, variant: "second", trial: 2)
        #expect(try await visit(bench).action == .tunnelled)
        #expect(try await visit(bench).action == .intercepted)
    }

    @Test(
        "sockets that say nothing do not count, and of connections that are open beside each other the second is attacked"
    )
    func parallel() async throws {
        let (bench, origin) = try bench("second-only")
        defer { withExtendedLifetime(origin) {} }
        let speculative = try bench.tunnel()
        // Their ServerHellos show that the hellos were read, one after the other, and none has been answered.
        var open: [TestTLS] = []
        for _ in 0..<3 {
            let one = try bench.beginner()
            try one.receiveHello()
            open.append(one)
        }
        for client in open {
            try client.finishHandshake()
            try ask(client)
        }
        speculative.close()
        var seen = [try await bench.observation()]
        for client in open {
            try client.closeNotify()
            client.socket.close()
            seen.append(try await bench.observation())
        }
        #expect(seen.map(\.action) == [.none, .tunnelled, .intercepted, .tunnelled])
    }

    @Test("a probe that is kept open, unused, is no connection in parallel")
    func keptProbe() async throws {
        let (bench, origin) = try bench("second")
        defer { withExtendedLifetime(origin) {} }
        let probe = try bench.visitor()
        #expect(try await visit(bench).action == .intercepted)
        probe.socket.close()
        #expect(try await bench.observation().action == .tunnelled)
    }

    @Test("a first connection that ended without a request was one all the same")
    func unused() async throws {
        let (bench, origin) = try bench("second")
        defer { withExtendedLifetime(origin) {} }
        let unused = try bench.visitor()
        try unused.closeNotify()
        unused.socket.close()
        let one = try await bench.observation()
        #expect(one.action == .tunnelled && !one.passthroughData && one.requests == 0)
        #expect(try await visit(bench).action == .intercepted)
    }

    @Test("requests count while their connection is still open", arguments: [TLSVersion.tls12, .tls13])
    func requests(version: TLSVersion) async throws {
        let (bench, origin) = try bench("after-3-requests", version: version)
        defer { withExtendedLifetime(origin) {} }
        let first = try bench.visitor()
        try ask(first)
        try ask(first)
        #expect(try await visit(bench).requests == 1)
        let attacked = try await visit(bench)
        #expect(attacked.action == .intercepted && attacked.variant == "after-3-requests")
        try ask(first)
        first.socket.close()
        #expect(try await bench.observation().requests == 3)
    }

    @Test("a first CONNECT that is refused is no tunnel, and the next one is attacked", arguments: ["502", "407"])
    func refusedConnect(status: String) async throws {
        let (bench, origin) = try bench("after-\(status)")
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\r\n")
        #expect(try socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status) "))
        socket.close()
        let first = try await bench.observation()
        #expect(first.action == .none && first.attack == "later-connection" && first.host?.text == "api.test")
        #expect(first.hello == nil && first.bytesUp == 0 && first.close?.by == .proxy)
        for _ in 0..<2 {
            let one = try await visit(bench)
            #expect(one.action == .intercepted && one.variant == "after-\(status)" && one.presented.count == 1)
        }
    }

    @Test("a first CONNECT that is never answered is given up by the client, and the next one is attacked")
    func noTunnel() async throws {
        let (bench, origin) = try bench("after-no-tunnel")
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\r\n")
        socket.end()
        #expect(try socket.readToEnd().isEmpty)
        #expect(try await bench.observation().close?.by == .client)
        #expect(try await visit(bench).action == .intercepted)
    }

    @Test("a first connection that has worked is closed when it is quiet, and the next one is attacked")
    func cut() async throws {
        let (bench, origin) = try bench("after-cut")
        defer { withExtendedLifetime(origin) {} }
        let first = try bench.visitor()
        try ask(first)
        _ = try first.socket.readToEnd()
        first.socket.close()
        let one = try await bench.observation()
        #expect(one.action == .tunnelled && one.passthroughData && one.close?.by == .proxy && one.close?.how == .fin)
        let second = try await visit(bench)
        #expect(second.action == .intercepted && second.variant == "after-cut" && second.bytesUp > 0)
    }

    @Test("a first request whose answer never comes leaves its connection open, and the next one is attacked")
    func noAnswer() async throws {
        let (bench, origin) = try bench("after-no-answer")
        defer { withExtendedLifetime(origin) {} }
        let first = try bench.visitor()
        try first.write(request)
        let second = try await visit(bench)
        #expect(second.action == .intercepted && second.bytesUp > 0)
        first.socket.end()
        _ = try first.socket.readToEnd()
        let one = try await bench.observation()
        #expect(one.action == .tunnelled && one.attack == .passthrough && !one.passthroughData)
    }
}
