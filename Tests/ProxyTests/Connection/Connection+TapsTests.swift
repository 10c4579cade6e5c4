import Facts
import Foundation
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// Turns lower-case letters of requests into capitals, and says a last word at the end of answers.
private final class Capitals: MessageLayer {
    func received(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, _ port: any MessagePort) {
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        if direction == .up { copy = copy.map { (0x61...0x7a).contains($0) ? $0 - 0x20 : $0 } }
        port.send(copy.span, direction)
    }

    func ended(_ direction: ExchangeDirection, _ port: any MessagePort) {
        if direction == .down { port.send(Array("bye".utf8).span, .down) }
    }
}

@Suite("Connection+Taps", .timeLimit(.minutes(15)))
struct ConnectionTapsTests {
    private func echo(_ pki: TestPKI) throws -> ScriptedOrigin {
        try ScriptedOrigin(pki.chain()) { tls in
            let asked = try tls.read(until: "\r\n\r\n")
            try tls.write("HTTP/1.1 200 OK\r\n\r\n\(asked)")
            try tls.closeNotify()
            tls.socket.end()
            _ = try tls.socket.readToEnd()
        }
    }

    @Test("a tap is shown what an intercepted connection carries, decrypted, in order, both ways, and its end")
    func intercepted() async throws {
        let pki = try TestPKI()
        let origin = try echo(pki)
        let recorder = ExchangeRecorder()
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root]) { $0.tap = recorder }
        let client = try bench.client()
        try client.write(request)
        let answer = try client.readToCloseNotify()
        client.socket.close()
        let one = try await bench.observation()
        let all = recorder.seen.withLock { $0 }
        #expect(all.count == 1)
        let seen = try #require(all.first)
        #expect(seen.up == Array(request.utf8) && seen.down == answer && seen.ends == 1 && seen.close == one.close)
        #expect(
            seen.facts.number == one.connection && seen.facts.host?.text == "api.test" && seen.facts.via == .connect)
        #expect(seen.facts.isIntercepted && seen.facts.negotiated == one.negotiated)
        withExtendedLifetime(origin) {}
    }

    @Test("what a tap is told first: both ClientHellos, the origin with its chain, and how long each step took")
    func facts() async throws {
        let pki = try TestPKI()
        let chain = try pki.chain()
        let origin = try ScriptedOrigin(chain, alpn: "http/1.1") { tls in
            try tls.write("HTTP/1.1 200 OK\r\n\r\n")
            try tls.closeNotify()
            _ = try tls.socket.readToEnd()
        }
        let recorder = ExchangeRecorder()
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root]) { $0.tap = recorder }
        for _ in 0..<2 {
            let client = try bench.client(alpn: ["http/1.1"])
            _ = try client.readToCloseNotify()
            client.socket.close()
            let one = try await bench.observation()
            let facts = try #require(recorder.seen.withLock { $0.last?.facts })
            #expect(facts.number == one.connection && facts.hello == one.hello && facts.hello?.ja4.isEmpty == false)
            #expect(facts.hello?.sni?.text == "api.test" && facts.alpn == "http/1.1")
            #expect(facts.origin.address == origin.address.endpoint)
            #expect(facts.origin.negotiated == one.upstream?.negotiated && facts.origin.negotiated?.alpn == "http/1.1")
            #expect(facts.origin.chain == chain.certificates.map(CertificateFacts.init))
            #expect(facts.origin.chain.map(\.sha256) == one.upstream?.chain)
            let ja4 = try #require(facts.origin.ja4)
            #expect(ja4.hasPrefix("t13d") && ja4.count == 36)
            let durations = [
                facts.durations.connect, facts.durations.originHandshake, facts.durations.clientHandshake,
            ]
            for duration in durations { #expect(try #require(duration) > 0) }
        }
        withExtendedLifetime(origin) {}
    }

    @Test("plain requests are followed one by one; of a tunnel of TLS it is told that it is one")
    func plain() async throws {
        let origin = try ScriptedOrigin { socket in
            while true {
                _ = try socket.read(until: "\r\n\r\n")
                try socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let recorder = ExchangeRecorder()
        let bench = try ProxyBench(["one.test": origin.address], attack: nil) { $0.tap = recorder }
        let socket = try bench.connect()
        for path in ["a", "b"] {
            try socket.send("GET http://one.test/\(path) HTTP/1.1\r\nHost: one.test\r\n\r\n")
            _ = try socket.read(until: "ok")
        }
        socket.close()
        _ = await bench.rest()
        let seen = recorder.seen.withLock { $0 }
        #expect(
            seen.map { String(decoding: $0.up, as: UTF8.self) } == [
                "GET /a HTTP/1.1\r\nHost: one.test\r\n\r\n", "GET /b HTTP/1.1\r\nHost: one.test\r\n\r\n",
            ])
        #expect(seen.allSatisfy { $0.down.count == 40 && $0.ends == 1 && !$0.facts.isIntercepted })
        #expect(seen.allSatisfy { $0.facts.origin == .init(address: origin.address.endpoint) && $0.facts.hello == nil })
        // The second one goes over the connection that the first has left open.
        #expect(seen.map { $0.facts.durations.connect != nil } == [true, false])

        let pki = try TestPKI()
        let secret = try echo(pki)
        let tunnels = try ProxyBench(["api.test": secret.address], trusting: [pki.authority.root], attack: nil) {
            $0.tap = recorder
        }
        let visitor = try TestTLS(
            tunnels.tunnel(), trusting: TrustStore(systemRoots: false, roots: [pki.authority.root]))
        try visitor.handshake()
        // While it is open.
        let before = recorder.seen.withLock { $0 }
        #expect(before.count == 3 && before.last?.ends == 0)
        visitor.socket.close()
        let one = try #require(await tunnels.rest().first)
        let tunnel = try #require(recorder.seen.withLock { $0.last })
        #expect(tunnel.facts.isOpaque && !tunnel.facts.isIntercepted && tunnel.facts.hello?.sni?.text == "api.test")
        #expect(tunnel.up.count == one.bytesUp && tunnel.down.count == one.bytesDown && tunnel.ends == 1)
        withExtendedLifetime((origin, secret)) {}
    }

    @Test("what a client says together with its Finished is shown before it is passed on, to layers and taps")
    func withFinished() async throws {
        let pki = try TestPKI()
        let origin = try echo(pki)
        let recorder = ExchangeRecorder()
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root]) {
            $0.tap = recorder
            $0.layers = { _ in Capitals() }
        }
        let client = try TestTLS(bench.tunnel(), trusting: bench.installed)
        let answer = String(decoding: try client.finishSaying(request), as: UTF8.self)
        client.socket.close()
        let one = try await bench.observation()
        // The layer has seen all of it, so the tap was there as well before the first byte went on.
        #expect(answer == "HTTP/1.1 200 OK\r\n\r\n\(request.uppercased())bye")
        let seen = try #require(recorder.seen.withLock { $0.first })
        #expect(seen.up == Array(request.uppercased().utf8) && String(decoding: seen.down, as: UTF8.self) == answer)
        #expect(seen.ends == 1 && seen.facts.number == one.connection && one.bytesUp == request.utf8.count)
        #expect(seen.facts.negotiated == one.negotiated && seen.facts.negotiated?.version == .tls13)
        withExtendedLifetime(origin) {}
    }

    @Test("a request is shown while its origin is called, and once; how long that takes is the origin's business")
    func whileDialing() async throws {
        // Takes the first connection into its queue, and lets everybody else knock.
        let origin = try UnansweredPort()
        let recorder = ExchangeRecorder()
        let bench = try ProxyBench(["slow.test": origin.address], attack: nil) { $0.tap = recorder }
        let socket = try bench.connect()
        let asked = "GET http://slow.test/a HTTP/1.1\r\nHost: slow.test\r\n\r\n"
        try socket.send(asked)
        // On its own thread: who awaits a turn may get it after the ten seconds that the origin is called for.
        while recorder.seen.withLock({ $0.first?.up.isEmpty ?? true }) {
            try Task.checkCancellation()
            sched_yield()
        }
        socket.close()
        let one = try await bench.observation()
        let all = recorder.seen.withLock { $0 }
        #expect(all.count == 1 && all[0].ends == 1 && all[0].facts.number == one.connection)
        #expect(String(decoding: all[0].up, as: UTF8.self) == "GET /a HTTP/1.1\r\nHost: slow.test\r\n\r\n")
        #expect(one.close?.by == .client && !one.isDialed)
        withExtendedLifetime(origin) {}
    }

    @Test("a server that speaks first is heard, and its end as well", arguments: [true, false])
    func serverFirst(ends: Bool) async throws {
        let origin = try ScriptedOrigin { socket in
            if ends { return }
            try socket.send("220 mail.test ready\r\n")
            _ = try socket.read(until: "\r\n")
            try socket.send("250 hello\r\n")
        }
        let recorder = ExchangeRecorder()
        let bench = try ProxyBench(["mail.test": origin.address]) {
            $0.tap = recorder
            $0.plan = Plan(profile: $0.plan.profile, phase: .debugging)
        }
        let socket = try bench.tunnel(to: "mail.test:25")
        if !ends {
            #expect(try socket.read(until: "\r\n") == "220 mail.test ready\r\n")
            try socket.send("EHLO a\r\n")
            #expect(try socket.read(until: "\r\n") == "250 hello\r\n")
        }
        #expect(try socket.readToEnd().isEmpty)
        socket.close()
        let one = try await bench.observation()
        #expect(one.action == .tunnelled && one.close?.by == .origin)
        let seen = try #require(recorder.seen.withLock { $0.first })
        #expect(String(decoding: seen.down, as: UTF8.self) == (ends ? "" : "220 mail.test ready\r\n250 hello\r\n"))
        withExtendedLifetime(origin) {}
    }

    @Test(
        "a layer stands between what one side says and what the other hears, and has a last word; taps see what was sent"
    )
    func layered() async throws {
        let pki = try TestPKI()
        let origin = try echo(pki)
        let recorder = ExchangeRecorder()
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root]) {
            $0.tap = recorder
            $0.layers = { _ in Capitals() }
        }
        let client = try bench.client()
        try client.write(request)
        let answer = String(decoding: try client.readToCloseNotify(), as: UTF8.self)
        client.socket.close()
        _ = try await bench.observation()
        #expect(answer.hasSuffix("\r\n\r\n\(request.uppercased())bye"))
        let seen = try #require(recorder.seen.withLock { $0.first })
        #expect(seen.up == Array(request.uppercased().utf8) && String(decoding: seen.down, as: UTF8.self) == answer)
        withExtendedLifetime(origin) {}
    }
}
