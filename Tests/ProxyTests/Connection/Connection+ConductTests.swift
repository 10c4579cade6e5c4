import Facts
import Loop
import Policy
import TLS
import TLSSupport
import Testing

@testable import Proxy

@Suite("Connection+Conduct", .timeLimit(.minutes(15)))
struct ConnectionConductTests {
    private func bench(
        _ attack: Attack, _ variant: String? = nil, version: TLSVersion? = nil, alpn: String? = nil,
        lent: Set<String> = [],
        _ serve: @escaping @Sendable (TestTLS) throws -> Void = ScriptedOrigin.answer
    ) throws -> (ProxyBench, ScriptedOrigin) {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), version: version, alpn: alpn, serve)
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: attack, variant: variant,
            lent: lent)
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
        // A greeting is no request, for which it would be let go: here in time, or on a busy machine before.
        try await silent(alpn: "h2") { bench in
            let client = try bench.client(alpn: ["h2"])
            try client.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            await bench.proxy.settle()
            await bench.proxy.endConnections()
            let one = try await bench.observation()
            #expect(one.bytesUp == 24 && one.prefaceOnly && one.close?.by == .gate)
        }
    }

    @Test("a client whose request was seen is let go, and so is each of its retries")
    func letsGo() async throws {
        try await silent { bench in
            for _ in 0..<2 {
                let client = try bench.client()
                try client.write(request)
                try client.write("and a body\n")
                #expect(try client.readToCloseNotify().isEmpty)
                #expect(try client.socket.readToEnd().isEmpty)
                client.socket.close()
                let one = try await bench.observation()
                #expect(one.bytesUp == request.utf8.count + 11 && one.bytesDown == 0 && one.error == nil)
                #expect(one.first?.shape == "http/1 GET" && one.close?.by == .proxy && one.close?.how == .closeNotify)
            }
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
            #expect(one.statusMS == nil)
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
            #expect(try #require(one.statusMS) >= #require(one.finishedMS))
            #expect(try #require(one.statusMS) <= #require(one.close).ms)
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

    @Test("sessions begin under the lent key, until one has carried data; then there is another key", arguments: ways)
    func lentFirst(way: (TLSVersion, tickets: Bool)) async throws {
        let (bench, origin) = try bench(.resumedSession, "lent-first", lent: ["api.test"])
        defer { withExtendedLifetime(origin) {} }
        // One that is opened before, and asks for nothing, changes nothing.
        let unused = try bench.visitor(highest: way.0)
        unused.socket.close()
        let zero = try await bench.observation()
        #expect(zero.attack == "lent-key" && zero.variant == nil && zero.bytesUp == 0)
        let (kept, one) = try await session(bench, way)
        #expect(one.attack == "lent-key" && one.variant == nil && !one.resumed)
        #expect(one.bytesUp > 0 && one.presented.count == 1)
        let (_, two) = try await session(bench, way, resuming: kept)
        #expect(two.attack == "resumed-session" && two.variant == "lent-first" && two.resumed)
        #expect(two.presented.isEmpty && two.bytesUp > 0)
        let (_, three) = try await session(bench, way)
        #expect(three.attack == "resumed-session" && three.variant == "lent-first" && !three.resumed)
        #expect(three.presented.count == 1 && three.presented != one.presented)
        try await bench.apply(.resumedSession, variant: "lent-first", trial: 2)
        let (_, four) = try await session(bench, way, resuming: kept)
        #expect(four.attack == "lent-key" && !four.resumed)
    }

    @Test("without a lent key there is no other one to begin with")
    func nothingLent() async throws {
        let (bench, origin) = try bench(.resumedSession, "lent-first")
        defer { withExtendedLifetime(origin) {} }
        let (_, one) = try await session(bench, (.tls13, true))
        #expect(one.attack == "resumed-session" && one.variant == "lent-first" && one.presented.count == 1)
    }

    // MARK: cleartext-fallback

    @Test(
        "TLS is refused in five ways, and nothing of it reaches the origin",
        arguments: [
            ("reset", Observation.Close.Side.proxy, Observation.Close.Kind.rst, UInt8?.none),
            ("close", .proxy, .fin, nil),
            ("handshake-failure", .proxy, .aborted, 40), ("inappropriate-fallback", .proxy, .aborted, 86),
            ("timeout", .client, .fin, nil),
        ])
    func refused(variant: String, by: Observation.Close.Side, how: Observation.Close.Kind, alert: UInt8?) async throws {
        let plain = try ScriptedOrigin { socket in
            let heard = (try? socket.readToEnd()) ?? []
            #expect(heard.isEmpty)
        }
        let bench = try ProxyBench(["api.test": plain.address], attack: .cleartextFallback, variant: variant)
        let socket = try bench.tunnel()
        let hello = try TestTLS(socket, trusting: bench.installed).hello()
        try socket.send(Array(hello[..<40]))
        try socket.send(Array(hello[40...]))
        switch variant {
        case "reset": #expect(throws: SystemError.self) { try socket.readToEnd() }
        case "timeout": try socket.send([1, 2, 3])
        default: #expect(try socket.readToEnd() == (alert.map { [21, 3, 3, 0, 2, 2, $0] } ?? []))
        }
        socket.close()
        let one = try await bench.observation()
        #expect(one.action == .intercepted && one.attack == "cleartext-fallback" && one.variant == variant)
        #expect(one.close?.by == by && one.close?.how == how && one.alerts.map(\.code) == (alert.map { [$0] } ?? []))
        #expect(one.bytesUp == 0 && one.flight == nil && one.hello?.sni?.text == "api.test" && one.upstream == nil)
        withExtendedLifetime(plain) {}
    }

    @Test("plain HTTP after that is forwarded, and noted as what it is")
    func cleartext() async throws {
        let plain = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let bench = try ProxyBench(["api.test": plain.address], attack: .cleartextFallback, variant: "close")
        let socket = try bench.connect()
        try socket.send("GET http://api.test/ HTTP/1.1\r\nConnection: close\r\n\r\n")
        #expect(String(decoding: try socket.readToEnd(), as: UTF8.self).hasSuffix("ok"))
        socket.close()
        let one = try await bench.observation()
        #expect(one.action == .forwarded && one.bytesUp > 0 && one.attack == nil)
        withExtendedLifetime(plain) {}
    }

    // MARK: redirect

    private func redirecting() throws -> (ProxyBench, [ScriptedOrigin], Locked<[String]>) {
        let pki = try TestPKI()
        let heard = Locked<[String]>([])
        let origins = try ["api.test", "cdn.test"].map { host in
            try ScriptedOrigin(pki.chain(host), alpn: "http/1.1") { tls in
                let head = try tls.read(until: "\r\n\r\n")
                heard.withLock { $0.append("\(host) \(head.prefix { $0 != "\r\n" })") }
                try tls.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\ngenuine\n")
                _ = try tls.socket.readToEnd()
            }
        }
        let bench = try ProxyBench(
            ["api.test": origins[0].address, "cdn.test": origins[1].address], trusting: [pki.authority.root],
            attack: .redirect, variant: "to", accepted: ["cdn.test"])
        return (bench, origins, heard)
    }

    @Test("a host that may be intercepted sends the client to the attacked one, which answers as it does")
    func redirected() async throws {
        let (bench, origins, heard) = try redirecting()
        defer { withExtendedLifetime(origins) {} }
        let first = try bench.visitor(to: "cdn.test", alpn: ["h2", "http/1.1"])
        #expect(first.session.alpn == "http/1.1")
        try first.write("POST /a?b HTTP/1.1\r\nHost: cdn.test\r\nContent-Length: 4\r\n\r\nbo")
        let said = String(decoding: try first.readToCloseNotify(), as: UTF8.self)
        #expect(said.hasPrefix("HTTP/1.1 302 ") && said.contains("Location: https://api.test/a?b\r\n"))
        try first.write("dy")
        first.socket.close()
        let one = try await bench.observation()
        #expect(one.host?.text == "cdn.test" && one.attack == .trustedCA && one.variant == nil)
        #expect(one.status == 302 && one.bytesUp > 0 && one.close?.by == .proxy && one.close?.how == .closeNotify)

        let second = try bench.visitor(alpn: ["h2", "http/1.1"])
        try second.write(request)
        _ = try second.read(until: "genuine\n")
        second.socket.close()
        let two = try await bench.observation()
        #expect(two.host?.text == "api.test" && two.attack == "redirect" && two.variant == "to")
        #expect(two.status == 200 && two.bytesUp > 0)
        #expect(heard.withLock { $0 } == ["api.test GET / HTTP/1.1"])
    }

    @Test("where the others have nothing to give, they say so without asking the origin")
    func othersAnswer404() async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain("cdn.test"), alpn: "http/1.1") { tls in
            #expect(throws: (any Error).self) { try tls.read(until: "\r\n\r\n") }
        }
        defer { withExtendedLifetime(origin) {} }
        let bench = try ProxyBench(
            ["cdn.test": origin.address], trusting: [pki.authority.root], variant: "others-answer-404",
            accepted: ["cdn.test"])
        let client = try bench.visitor(to: "cdn.test", alpn: ["h2", "http/1.1"])
        #expect(client.session.alpn == "http/1.1")
        try client.write("GET /settings HTTP/1.1\r\nHost: cdn.test\r\n\r\n")
        let said = String(decoding: try client.readToCloseNotify(), as: UTF8.self)
        #expect(said.hasPrefix("HTTP/1.1 404 ") && said.hasSuffix("\r\n\r\n"))
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.attack == .trustedCA && one.variant == nil && one.status == 404 && one.bytesUp > 0)
        #expect(!one.redirected && one.close?.by == .proxy)
    }

    @Test("plain HTTP for the attacked host is sent to https, without asking anybody")
    func redirectedToTLS() async throws {
        let (bench, origins, heard) = try redirecting()
        defer { withExtendedLifetime(origins) {} }
        let socket = try bench.connect()
        try socket.send("GET http://api.test/login HTTP/1.1\r\nHost: api.test\r\n\r\n")
        let said = String(decoding: try socket.readToEnd(), as: UTF8.self)
        #expect(said.hasPrefix("HTTP/1.1 302 ") && said.contains("Location: https://api.test/login\r\n"))
        socket.close()
        let one = try await bench.observation()
        #expect(one.action == .forwarded && one.status == 302 && one.bytesUp > 0 && one.host?.text == "api.test")
        #expect(heard.withLock { $0 }.isEmpty)
    }

    @Test("an attacked host sends clients to another one under the key it was lent")
    func redirectedFrom() async throws {
        let pki = try TestPKI()
        let origins = try ["api.test", "b.test"].map { try ScriptedOrigin(pki.chain($0)) }
        let bench = try ProxyBench(
            ["api.test": origins[0].address, "b.test": origins[1].address], trusting: [pki.authority.root],
            attack: .redirect, variant: "from", lent: ["api.test"])
        let first = try bench.visitor()
        try first.write("GET /a HTTP/1.1\r\nHost: api.test\r\n\r\n")
        let said = String(decoding: try first.readToCloseNotify(), as: UTF8.self)
        #expect(said.contains("Location: https://b.test/a\r\n"))
        first.socket.close()
        let one = try await bench.observation()
        #expect(one.attack == "lent-key" && one.variant == nil && one.status == 302 && one.host?.text == "api.test")
        let second = try bench.visitor(to: "b.test")
        try second.write(request)
        _ = try second.read(until: "genuine\n")
        second.socket.close()
        let two = try await bench.observation()
        #expect(two.attack == "redirect" && two.variant == "from" && two.host?.text == "b.test" && two.bytesUp > 0)
        withExtendedLifetime(origins) {}
    }
}
