import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// An HTTP proxy that answers every CONNECT as it is told.
private func upstream(_ answer: @escaping @Sendable (_ target: String) -> String) throws -> ScriptedOrigin {
    try ScriptedOrigin { socket in
        let head = try socket.read(until: "\r\n\r\n")
        let target = head.split(separator: " ")[1]
        try socket.send(answer(String(target)))
        _ = try socket.readToEnd()
    }
}

/// An HTTP proxy that does what it is asked for.
private func relaying() throws -> ScriptedOrigin {
    try ScriptedOrigin { socket in
        let head = try socket.read(until: "\r\n\r\n")
        guard let target = Endpoint(head.split(separator: " ")[1]), let address = target.host.address else { return }
        let origin = try TestSocket(to: SocketAddress(address, target.port))
        try socket.send("HTTP/1.0 200 here you are\r\nVia: test\r\n\r\n")
        let back = Pump(origin, socket)
        back.start()
        Pump(socket, origin).run()
        back.join()
    }
}

@Suite("Dialer", .timeLimit(.minutes(15)))
struct DialerTests {
    @Test("an upstream proxy carries tunnels and interceptions alike", arguments: [nil, Attack.trustedCA])
    func upstreamProxy(attack: Attack?) async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain())
        let between = try relaying()
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: attack, through: between.address)
        let trust = try TrustStore(
            systemRoots: false, roots: [attack == nil ? pki.authority.root : bench.authority.root])
        let client = try TestTLS(bench.tunnel(), trusting: trust)
        try client.handshake()
        try client.write(request)
        #expect(String(decoding: try client.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.bytesUp > 0 && one.action == (attack == nil ? .tunnelled : .intercepted))
        // Where the origin lives is known by its name; the upstream proxy does not live there.
        #expect(one.upstream?.address == nil)
        #expect(one.foundAt == [origin.address.endpoint])
    }

    @Test("an upstream proxy's refusal is told at once, in its own words, also when a page comes with it")
    func refusal() async throws {
        let page = String(repeating: "<p>no</p>", count: 500)
        let between = try upstream { _ in
            "HTTP/1.1 403 Not from here\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)"
        }
        let bench = try ProxyBench(
            ["api.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)], through: between.address)
        let socket = try bench.connect()
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\n\r\n")
        let answer = String(decoding: try socket.readToEnd(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 502 ") && answer.contains("403 Not from here"))
        let one = try await bench.observation()
        #expect(one.upstream?.error?.contains("upstream proxy answered \"HTTP/1.1 403 Not from here\"") == true)
    }

    @Test("an upstream proxy that is not there is the one that is told, and not the origin")
    func deadProxy() async throws {
        let dead = SocketAddress(try #require(IPAddress("127.0.0.1")), 1)
        let bench = try ProxyBench(["api.test": dead], through: dead)
        let socket = try bench.connect()
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\n\r\n")
        #expect(String(decoding: try socket.readToEnd(), as: UTF8.self).contains("upstream proxy: "))
        let one = try await bench.observation()
        #expect(one.upstreamProxy == dead.endpoint && !one.isDialed)
        #expect(one.upstream?.error?.hasPrefix("upstream proxy: ") == true)
    }

    @Test("what an upstream proxy says cannot move a cursor")
    func refusalEscaped() async throws {
        let between = try upstream { _ in "HTTP/1.1 403 \u{1b}[2J\r\n\r\n" }
        let bench = try ProxyBench(
            ["api.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)], through: between.address)
        let socket = try bench.connect()
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\n\r\n")
        #expect(!(try socket.readToEnd()).contains(0x1b))
    }

    @Test("a head without an end, garbage, and silence followed by FIN are failures", arguments: [0, 1, 2, 3])
    func badProxies(kind: Int) async throws {
        let between = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            if kind == 0 { try socket.send(String(repeating: "X: y\r\n", count: 20_000)) }
            if kind == 1 { try socket.send("SSH-2.0-x\r\n\r\n") }
            if kind == 3 { try socket.send(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 20_000)) }
        }
        let bench = try ProxyBench(
            ["api.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)], through: between.address)
        let socket = try bench.connect()
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\n\r\n")
        #expect(String(decoding: try socket.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 502 "))
        #expect(try await bench.observation().upstream?.error != nil)
    }

    @Test(
        "an origin that greets at once behind an upstream proxy's answer is heard, and an interim answer is none",
        arguments: ["", "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"])
    func greeting(interim: String) async throws {
        let between = try upstream { _ in interim + "HTTP/1.1 200 OK\r\n\r\n220 mail.test ready\r\n" }
        let bench = try ProxyBench(attack: nil, through: between.address)
        let socket = try bench.tunnel(to: "mail.test:25")
        try socket.send("EHLO me\r\n")
        #expect(try socket.read(until: "\r\n") == "220 mail.test ready\r\n")
        socket.close()
        #expect(try await bench.observation().bytesDown == 21)
    }

    @Test("an address that refuses gives way to the next one of the name")
    func nextAddress() async throws {
        // "localhost" is ::1 and 127.0.0.1 on most systems; this origin listens on the second alone.
        let origin = try ScriptedOrigin { socket in try socket.send("here") }
        let bench = try ProxyBench(attack: nil)
        let socket = try bench.tunnel(to: "localhost:\(origin.address.port)")
        try socket.send("x")
        #expect(try socket.readToEnd() == Array("here".utf8))
    }

    @Test("proxies that are each other's upstream notice it by the name that comes back, and whoever asked is told")
    func loop() async throws {
        let place = Locked<SocketAddress?>(nil)
        // As another pinproof between would: what it is asked it asks this one, and adds itself.
        let between = try ScriptedOrigin { socket in
            let head = try socket.read(until: "\r\n\r\n")
            guard let address = place.withLock({ $0 }) else { return }
            let back = try TestSocket(to: address)
            try back.send(Array(head.utf8.dropLast(4)) + Array(", 1.1 other\r\n\r\n".utf8))
            try socket.send(back.readToEnd())
        }
        let bench = try ProxyBench(
            ["api.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)], through: between.address)
        place.withLock { $0 = bench.proxy.address }
        let socket = try bench.connect()
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\nVia: 1.0 first\r\n\r\n")
        let answer = String(decoding: try socket.readToEnd(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 508 Loop Detected\r\n"))
        for _ in 0..<2 {
            let one = try await bench.observation()
            #expect(one.fault == .proxyLoop && one.error?.contains("upstream proxy") == true)
            #expect(one.upstreamProxy == between.address.endpoint)
        }
        withExtendedLifetime(between) {}
    }

    @Test("an upstream proxy is told through whom a request came, and an origin is not")
    func via() async throws {
        let asked = Locked<[String]>([])
        let between = try ScriptedOrigin { socket in
            asked.withLock { $0.append((try? socket.read(until: "\r\n\r\n")) ?? "") }
            try socket.send("HTTP/1.1 200 OK\r\n\r\n")
            asked.withLock { $0.append((try? socket.read(until: "\r\n\r\n")) ?? "") }
            try socket.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        }
        let bench = try ProxyBench(
            ["api.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)], through: between.address)
        let socket = try bench.connect()
        try socket.send("GET http://api.test/ HTTP/1.1\r\nHost: api.test\r\n\r\n")
        _ = try socket.readToEnd()
        let heads = asked.withLock { $0 }
        #expect(heads.first?.hasPrefix("CONNECT ") == true && heads.first?.contains("\r\nVia: 1.1 pinproof-") == true)
        #expect(heads.last?.hasPrefix("GET / ") == true && heads.last?.contains("Via") == false)
        withExtendedLifetime(between) {}
    }
}
