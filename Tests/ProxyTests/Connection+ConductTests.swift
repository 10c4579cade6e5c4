import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Connection+Conduct", .timeLimit(.minutes(1)))
struct ConnectionConductTests {
    private func bench(
        _ attack: Attack, _ variant: String? = nil, version: TLSVersion? = nil, alpn: String? = nil,
        _ serve: @escaping @Sendable (TestTLS) throws -> Void = ScriptedOrigin.answer
    ) throws -> (ProxyBench, ScriptedOrigin) {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), version: version, alpn: alpn, serve)
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: attack, variant: variant)
        return (bench, origin)
    }

    // MARK: silent-server

    /// What the origin heard, told once it has ended.
    private func silent(
        alpn: String? = nil, _ body: (ProxyBench) async throws -> Void
    ) async throws {
        let heard = Locked<[UInt8]?>(nil)
        let done = Gate()
        let (bench, origin) = try bench(.silentServer, alpn: alpn) { tls in
            let bytes = try tls.readToCloseNotify()
            heard.withLock { $0 = bytes }
            done.open()
        }
        defer { withExtendedLifetime(origin) {} }
        try await body(bench)
        await withCheckedContinuation { continuation in
            onThread {
                done.wait()
                continuation.resume()
            }
        }
        #expect(heard.withLock { $0 } == [])
    }

    @Test("a silent server reads what is sent, counts it, and tells nobody", arguments: [true, false])
    func silence(saysGoodbye: Bool) async throws {
        try await silent { bench in
            let client = try bench.client()
            try client.write(request)
            if saysGoodbye {
                try client.closeNotify()
                #expect(try client.readToCloseNotify().isEmpty)
            }
            client.socket.close()
            let one = try await bench.observation()
            #expect(one.action == .intercepted && one.attack == "silent-server" && one.finishedMS != nil)
            #expect(one.bytesUp == request.utf8.count && one.bytesDown == 0 && one.first?.shape == "http/1 GET")
            #expect(one.close?.by == .client && one.close?.how == (saysGoodbye ? .closeNotify : .fin))
        }
    }

    @Test("a client that has sent something keeps no trial waiting for an answer, and is ended by the gate")
    func settles() async throws {
        try await silent { bench in
            let client = try bench.client()
            try client.write(request)
            await bench.proxy.settle()
            await bench.proxy.endConnections()
            let one = try await bench.observation()
            #expect(one.bytesUp > 0 && one.close?.by == .gate)
        }
    }

    @Test("a silent server of HTTP/2 greets, or some clients would wait for it")
    func silentHTTP2() async throws {
        try await silent(alpn: "h2") { bench in
            let client = try bench.client(alpn: ["h2", "http/1.1"])
            #expect(try client.read(count: 9) == [0, 0, 0, 4, 0, 0, 0, 0, 0])
            client.socket.close()
            let one = try await bench.observation()
            #expect(one.bytesUp == 0 && one.bytesDown == 9 && one.negotiated?.alpn == "h2" && one.status == nil)
        }
    }

    // MARK: resumed-session

    private static let ways: [(TLSVersion, tickets: Bool)] = [(.tls12, true), (.tls12, false), (.tls13, true)]

    private func session(
        _ bench: ProxyBench, _ way: (TLSVersion, tickets: Bool), resuming kept: KeptSession? = nil
    ) async throws -> (KeptSession, Observation) {
        let client = try bench.visitor(highest: way.0, resuming: kept, tickets: way.tickets)
        try client.write(request)
        _ = try client.read(until: "genuine\n")
        let next = try #require(client.session.kept)
        client.socket.close()
        return (next, try await bench.observation())
    }

    @Test("sessions are resumed on either loop, by ticket and by id, and noted so", arguments: ways)
    func resumed(way: (TLSVersion, tickets: Bool)) async throws {
        let (bench, origin) = try bench(.resumedSession)
        defer { withExtendedLifetime(origin) {} }
        var (kept, first) = try await session(bench, way)
        #expect(!first.resumed && first.presented.count == 1 && first.bytesUp > 0)
        // The first connection came to one loop; of the next ones each has its share.
        for _ in 0..<4 {
            let (next, one) = try await session(bench, way, resuming: kept)
            kept = next
            #expect(one.resumed && one.presented.isEmpty && one.bytesUp > 0 && one.status == 200)
            #expect(one.attack == "resumed-session" && one.variant == nil)
            #expect(one.flight?.delivered == true && one.finishedMS != nil && one.negotiated?.version == way.0)
        }
    }

    @Test("nothing of a session survives the trial, and other attacks resume nothing", arguments: ways)
    func nextTrial(way: (TLSVersion, tickets: Bool)) async throws {
        let (bench, origin) = try bench(.resumedSession)
        defer { withExtendedLifetime(origin) {} }
        let (kept, _) = try await session(bench, way)
        try await bench.apply(.resumedSession, trial: 2)
        let (second, one) = try await session(bench, way, resuming: kept)
        #expect(!one.resumed && one.presented.count == 1 && one.trial == 2)
        try await bench.apply(.trustedCA, trial: 3)
        let (_, two) = try await session(bench, way, resuming: second)
        #expect(!two.resumed && two.presented.count == 1)
    }

    @Test("a client that gives up a resumed handshake has refused no certificate")
    func givesUp() async throws {
        let (bench, origin) = try bench(.resumedSession)
        defer { withExtendedLifetime(origin) {} }
        let (kept, _) = try await session(bench, (.tls13, true))
        let tls = try TestTLS(bench.tunnel(), trusting: bench.either)
        tls.session.offer(kept)
        try tls.socket.send(tls.hello())
        _ = try tls.socket.receive()
        tls.socket.close()
        let one = try await bench.observation()
        #expect(one.resumed && one.presented.isEmpty && one.finishedMS == nil && one.flight != nil)
    }
}
