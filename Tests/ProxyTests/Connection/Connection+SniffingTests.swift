import Facts
import Loop
import Policy
import Support
import TLS
import Testing

@testable import Proxy

@Suite("Connection+Sniffing", .timeLimit(.minutes(15)))
struct ConnectionSniffingTests {
    /// An origin under `pki`, and a proxy that attacks `host` before it.
    private func bench(
        _ host: String = "api.test", originAt: String = "127.0.0.1", proxyAt: String = "127.0.0.1"
    ) throws -> (ProxyBench, ScriptedOrigin) {
        let pki = try TestPKI()
        let chain = try pki.chain(host)
        let origin = try ScriptedOrigin(at: originAt) { socket in
            let tls = try TestTLS(socket, presenting: chain)
            try tls.handshake()
            try ScriptedOrigin.answer(tls)
        }
        return (try ProxyBench([host: origin.address], trusting: [pki.authority.root], at: proxyAt), origin)
    }

    @Test(
        "a plain request that is not sent on was in the clear all the same",
        arguments: [
            "GET https://api.test/secret HTTP/1.1\r\nHost: api.test\r\n\r\n",
            "GET /secret HTTP/1.1\r\nHost: api.test\r\n\r\n",
            "GET http://api.test/#part HTTP/1.1\r\nHost: api.test\r\n\r\n",
            "POST http://api.test/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "get http://api.test/ HTTP/9\r\nHost: api.test\r\n\r\n",
        ])
    func refusedCleartext(text: String) async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        try socket.send(text)
        _ = try? socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        #expect(one.host?.text == "api.test" && one.via == .http && one.action == .forwarded && one.error != nil)
        #expect(one.bytesUp > 0 && one.bytesDown == 0 && one.upstream == nil)
    }

    @Test("behind a SOCKS5 request that is refused nothing is read, and so nobody is named by it")
    func refusedSOCKS() async throws {
        let recorder = ExchangeRecorder()
        let bench = try ProxyBench { $0.tap = recorder }
        let socket = try bench.connect()
        try socket.send(
            [5, 1, 0] + [5, 2, 0, 1, 127, 0, 0, 1, 0, 80] + Array("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n".utf8))
        _ = try? socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        #expect(one.host == nil && one.action != .forwarded && one.error?.contains("SOCKS5 request refused") == true)
        #expect(recorder.seen.withLock { $0.isEmpty })
    }

    @Test("a plain request to an address is for the host that it names, in a tunnel too", arguments: [true, false])
    func namedInTheClear(inTunnel: Bool) async throws {
        let origin = try ScriptedOrigin { socket in
            _ = try socket.receive()
            try socket.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        defer { withExtendedLifetime(origin) {} }
        let bench = try ProxyBench(["api.test": origin.address])
        let address = origin.address.endpoint
        let socket = try inTunnel ? bench.tunnel(to: "\(address)") : bench.connect()
        try socket.send("GET \(inTunnel ? "" : "http://\(address)")/a HTTP/1.1\r\nHost: api.test\r\n\r\n")
        _ = try? socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        #expect(one.host?.text == "api.test" && one.target == address && one.bytesUp > 0 && one.bytesDown > 0)
        #expect(one.action == (inTunnel ? .tunnelled : .forwarded) && one.hello == nil)
    }

    @Test("so was one whose origin cannot be reached")
    func unreachableCleartext() async throws {
        let bench = try ProxyBench(["api.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)])
        let socket = try bench.connect()
        try socket.send("GET http://api.test/ HTTP/1.1\r\nHost: api.test\r\n\r\n")
        _ = try? socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        #expect(one.host?.text == "api.test" && one.action == .forwarded && one.bytesUp > 0 && one.bytesDown == 0)
    }

    @Test(
        "what nobody has read as a request was in the clear as well",
        arguments: [
            "GET http://api.test/x?token=secret\r\n", "POST http://api.test/x HTTP/1.1\r\nX-Token: secr",
            "CONNECT api.test:443 HTTP/1.1\r\nHost: api.test\r\nContent-Length: 6\r\n\r\nsecret",
            // A question whether there is a network, and something else behind it.
            "GET http://api.test/generate_204 HTTP/1.1\r\nHost: api.test\r\n\r\n"
                + "POST http://api.test/ HTTP/1.1\r\nContent-Length: 6\r\n\r\nsecret",
        ])
    func unread(text: String) async throws {
        let bench = try ProxyBench(["api.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)])
        let socket = try bench.connect()
        try socket.send(text)
        socket.end()
        _ = try? socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        #expect(one.host?.text == "api.test" && one.via == .http && one.action == .forwarded && one.bytesUp > 0)
        #expect(!one.isProbe)
    }

    @Test(
        "a question whether there is a network is no more than that where its host cannot be reached, nor are two",
        arguments: [1, 2])
    func probe(count: Int) async throws {
        let bench = try ProxyBench(["api.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)])
        let socket = try bench.connect()
        for _ in 0..<count { try socket.send("GET http://api.test/generate_204 HTTP/1.1\r\nHost: api.test\r\n\r\n") }
        socket.end()
        _ = try? socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        #expect(one.isProbe && one.host?.text == "api.test")
    }

    @Test("what a body says is no request, whoever it names")
    func namesInContent() async throws {
        let bench = try ProxyBench(["logs.test": SocketAddress(try #require(IPAddress("127.0.0.1")), 1)])
        let socket = try bench.connect()
        let report = "GET https://api.test/ HTTP/1.1\r\nHost: api.test\r\n\r\n"
        try socket.send("POST http://logs.test/ HTTP/1.1\r\nHost: logs.test\r\nContent-Length: 500\r\n\r\n" + report)
        try socket.send(report)
        socket.end()
        _ = try? socket.readToEnd()
        socket.close()
        #expect(try await bench.observation().host?.text == "logs.test")
    }

    @Test(
        "what a client began and did not bring to an end is noted, with its length",
        arguments: [
            ([], [0x16, 3, 1, 2, 0, 1, 0], Observation.Unfinished.clientHello(bytes: 7)),
            (Array("CONNECT api.test:443 HTTP/1.1\r\n\r\n".utf8), [0x16, 3, 1, 2], .clientHello(bytes: 4)),
            ([], Array("CONNECT api.te".utf8), .request(bytes: 14)), ([], [5], .request(bytes: 1)), ([], [], nil),
        ])
    func unfinished(before: [UInt8], begun: [UInt8], left: Observation.Unfinished?) async throws {
        let origin = try ScriptedOrigin { _ = try $0.readToEnd() }
        let bench = try ProxyBench(["api.test": origin.address])
        let socket = try bench.connect()
        if !before.isEmpty {
            try socket.send(before)
            _ = try socket.read(until: "\r\n\r\n")
        }
        try socket.send(begun)
        socket.end()
        socket.close()
        #expect(try await bench.observation().unfinished == left)
    }

    private func exchange(_ tls: TestTLS) throws {
        try tls.handshake()
        try tls.write(request)
        #expect(String(decoding: try tls.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        tls.socket.close()
    }

    @Test(
        "SOCKS5 without and with a password leads to an interception, byte by byte as well", arguments: [true, false])
    func socks(byteByByte: Bool) async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        func send(_ bytes: [UInt8]) throws {
            if byteByByte { for byte in bytes { try socket.send([byte]) } } else { try socket.send(bytes) }
        }
        func expect(_ bytes: [UInt8]) throws {
            #expect(try socket.receive(exactly: bytes.count) == bytes)
        }
        if byteByByte {
            try send([5, 1, 2])
            try expect([5, 2])
            try send([1, 1, 65, 1, 66])
            try expect([1, 0])
        } else {
            try send([5, 2, 0, 2])
            try expect([5, 0])
        }
        try send([5, 1, 0, 3, 8] + Array("api.test".utf8) + [1, 187])
        try expect([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        try exchange(TestTLS(socket, trusting: bench.installed))
        let one = try await bench.observation()
        #expect(one.via == .socks5 && one.target?.description == "api.test:443" && one.bytesUp == request.utf8.count)
    }

    @Test("TLS right on the port goes by its SNI")
    func bySNI() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        try exchange(TestTLS(bench.connect(), trusting: bench.installed))
        let one = try await bench.observation()
        #expect(one.via == .tls && one.target == nil && one.host?.text == "api.test" && one.bytesUp > 0)
    }

    @Test("TLS right on the port without SNI is turned away with unrecognized_name")
    func nameless() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        try socket.send(TestTLS(socket, sni: nil, trusting: bench.installed).hello())
        #expect(try socket.readToEnd() == [21, 3, 3, 0, 2, 2, 112])
        #expect(try await bench.observation().alerts.first?.code == 112)
    }

    @Test(
        "IP literals are intercepted under their address, at a proxy on either family",
        arguments: [("127.0.0.1", "::1"), ("::1", "127.0.0.1")])
    func literals(host: String, proxyAt: String) async throws {
        let (bench, origin) = try bench(host, originAt: host, proxyAt: proxyAt)
        defer { withExtendedLifetime(origin) {} }
        let target = host.contains(":") ? "[\(host)]:443" : "\(host):443"
        let tls = try TestTLS(bench.tunnel(to: target), sni: nil, verifying: host, trusting: bench.installed)
        try exchange(tls)
        let one = try await bench.observation()
        #expect(one.host?.text == host && one.hello?.sni == nil && one.bytesUp > 0 && one.upstream?.verified == true)
    }

    @Test("without SNI the CONNECT name is forged and verified")
    func noSNI() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        try exchange(TestTLS(bench.tunnel(), sni: nil, trusting: bench.installed))
        let one = try await bench.observation()
        #expect(one.host?.text == "api.test" && one.hello?.sni == nil && one.bytesUp > 0)
    }

    @Test("where SNI and CONNECT name differ, the SNI is judged and CONNECT's target dialed")
    func twoNames() async throws {
        let pki = try TestPKI()
        let front = try ScriptedOrigin(pki.chain("api.test"))
        let other = try ScriptedOrigin(pki.chain("api.test")) { _ in Issue.record("dialed the SNI's address") }
        let bench = try ProxyBench(
            ["api.test": other.address, "front.test": front.address], trusting: [pki.authority.root])
        try exchange(TestTLS(bench.tunnel(to: "front.test:443"), trusting: bench.installed))
        let one = try await bench.observation()
        #expect(one.host?.text == "api.test" && one.target?.host.text == "front.test")
        #expect(one.upstream?.address == front.address.endpoint)
    }

    @Test("a ClientHello that comes byte by byte is a ClientHello")
    func byteByByte() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.tunnel()
        let tls = try TestTLS(socket, trusting: bench.installed)
        for byte in tls.hello() { try socket.send([byte]) }
        try exchange(tls)
        #expect(try await bench.observation().bytesUp > 0)
    }

    @Test("a ClientHello of over 16 KiB in several records is read, mirrored upstream and intercepted")
    func long() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let alpn = (0..<500).map { "protocol-number-\($0)-with-a-name-that-goes-on" } + ["http/1.1"]
        let tls = try TestTLS(bench.tunnel(), trusting: bench.installed, alpn: alpn)
        let hello = tls.hello()
        #expect(hello.count > 20_000)
        // The second record's header is there: it is not one record.
        #expect(hello[(5 + 16_384)...].starts(with: [22, 3]))
        for start in stride(from: 0, to: hello.count, by: 5_000) {
            try tls.socket.send(Array(hello[start..<min(start + 5_000, hello.count)]))
        }
        try exchange(tls)
        let one = try await bench.observation()
        #expect(one.hello?.length == hello.count - 10 && one.hello?.alpn.count == 501 && one.bytesUp > 0)
    }

    @Test("what is sent right behind CONNECT, before its answer, is not lost")
    func impatient() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let socket = try bench.connect()
        let tls = try TestTLS(socket, trusting: bench.installed)
        try socket.send(Array("CONNECT api.test:443 HTTP/1.1\r\n\r\n".utf8) + tls.hello())
        _ = try socket.read(until: "\r\n\r\n")
        try exchange(tls)
        #expect(try await bench.observation().bytesUp > 0)
    }

    @Test("garbage, halves and mutations never stop the proxy, and each is observed once", arguments: [1, 2, 3])
    func garbage(seed: UInt64) async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        var chance = SeededGenerator(seed: seed)
        let hello = try TestTLS(bench.connect(), trusting: bench.installed).hello()
        let starts: [[UInt8]] = [
            [], Array("CONNECT api.test:443 HTTP/1.1\r\n\r\n".utf8), Array("GET http://api.test/ HTTP/1.1\r\n".utf8),
            [5, 1, 0], [5, 1, 0, 5, 1, 0, 3, 8] + Array("api.test".utf8) + [1, 187], [22, 3, 1],
            Array("CONNECT api.test:443 HTTP/1.1\r\n\r\n".utf8) + hello, hello,
        ]
        let rounds = 60
        for round in 0..<rounds {
            var bytes = starts[round % starts.count]
            switch Int.random(in: 0..<4, using: &chance) {
            case 0: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &chance)))
            case 1: bytes += (0..<Int.random(in: 1...3_000, using: &chance)).map { _ in chance.byte() }
            case 2 where !bytes.isEmpty:
                for _ in 0..<Int.random(in: 1...8, using: &chance) {
                    bytes[Int.random(in: bytes.indices, using: &chance)] = chance.byte()
                }
            default: bytes = (0..<Int.random(in: 1...300, using: &chance)).map { _ in chance.byte() }
            }
            let socket = try bench.connect()
            // It may be turned away before all of it is sent, or be gone in the middle.
            try? socket.send(bytes)
            if chance.next() % 4 == 0 { socket.reset() } else { socket.close() }
        }
        try exchange(TestTLS(bench.tunnel(), trusting: bench.installed))
        let all = await bench.rest()
        // The one that lent its hello is there as well.
        #expect(all.count == rounds + 2)
        #expect(Set(all.map(\.connection)).count == all.count)
    }
}
