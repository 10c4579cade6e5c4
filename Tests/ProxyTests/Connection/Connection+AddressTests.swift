import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// CONNECT and SOCKS5 to an address, with the name in the ClientHello alone.
@Suite("Connection+Address", .timeLimit(.minutes(15)))
struct ConnectionAddressTests {
    /// Nobody listens there.
    private static let nowhere = "127.0.0.3:1"
    private static let socks: [UInt8] = [5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 3, 0, 1]

    private func tunnel(_ bench: ProxyBench, bySOCKS: Bool) throws -> TestSocket {
        guard bySOCKS else { return try bench.tunnel(to: Self.nowhere) }
        let socket = try bench.connect()
        try socket.send(Self.socks)
        let answer = try socket.receive(exactly: 12)
        #expect(answer.prefix(4) == [5, 0, 5, 0])
        return socket
    }

    private func exchange(_ tls: TestTLS) throws {
        try tls.handshake()
        try tls.write(request)
        #expect(String(decoding: try tls.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        tls.socket.close()
    }

    @Test("the name says where it goes, and is attacked as any other", arguments: [true, false])
    func named(bySOCKS: Bool) async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain())
        for attack in [Attack.trustedCA, nil] {
            let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root], attack: attack)
            try exchange(TestTLS(tunnel(bench, bySOCKS: bySOCKS), trusting: bench.either))
            let seen = try await bench.observation()
            #expect(seen.host?.text == "api.test" && seen.target == Endpoint(Self.nowhere))
            #expect(seen.via == (bySOCKS ? .socks5 : .connect) && seen.error == nil && seen.bytesUp > 0)
            #expect(seen.action == (attack == nil ? .tunnelled : .intercepted))
            #expect(attack == nil || seen.upstream?.address == origin.address.endpoint)
        }
    }

    @Test("a name of which the profile does not say where it lives goes to the address")
    func toTheAddress() async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain("else.test"))
        let bench = try ProxyBench(["api.test": SocketAddress(try #require(IPAddress("127.0.0.3")), 1)])
        let trust = try TrustStore(systemRoots: false, roots: [pki.authority.root])
        let socket = try bench.tunnel(to: origin.address.description)
        try exchange(TestTLS(socket, sni: "else.test", verifying: "else.test", trusting: trust))
        let seen = try await bench.observation()
        #expect(seen.host?.text == "else.test" && seen.action == .tunnelled && seen.passthroughData)
    }

    @Test("a server that speaks first is heard there, and so is a client that speaks no TLS")
    func otherProtocols() async throws {
        let server = try ScriptedOrigin { socket in
            try socket.send("220 mail.test\r\n")
            _ = try socket.read(until: "QUIT\r\n")
            try socket.send("221 bye\r\n")
        }
        let bench = try ProxyBench(["api.test": SocketAddress(try #require(IPAddress("127.0.0.3")), 1)])
        for waits in [true, false] {
            let socket = try bench.tunnel(to: server.address.description)
            if waits { #expect(try socket.read(until: "\r\n") == "220 mail.test\r\n") }
            try socket.send("QUIT\r\n")
            #expect(String(decoding: try socket.readToEnd(), as: UTF8.self).hasSuffix("221 bye\r\n"))
            socket.close()
            let seen = try await bench.observation()
            #expect(seen.action == .tunnelled && seen.hello == nil && seen.target == server.address.endpoint)
        }
    }

    @Test("a client that speaks no TLS and half-closes at once gets its answer")
    func halfClosed() async throws {
        let server = try ScriptedOrigin { socket in
            let said = try socket.readToEnd()
            try socket.send("\(said.count) bytes, and good-bye")
        }
        let bench = try ProxyBench(["api.test": SocketAddress(try #require(IPAddress("127.0.0.3")), 1)])
        for _ in 0..<20 {
            let socket = try bench.tunnel(to: server.address.description)
            try socket.send("QUIT\r\n")
            socket.end()
            #expect(String(decoding: try socket.readToEnd(), as: UTF8.self) == "6 bytes, and good-bye")
            socket.close()
            let seen = try await bench.observation()
            #expect(seen.action == .tunnelled && seen.error == nil)
        }
    }

    @Test("an address that cannot be reached ends a client of TLS by an alert, and any other without a word")
    func unreachable() async throws {
        let bench = try ProxyBench(["other.test": SocketAddress(try #require(IPAddress("127.0.0.2")), 1)])
        let socket = try bench.tunnel(to: Self.nowhere)
        try socket.send(TestTLS(socket, trusting: bench.installed).hello())
        #expect(try socket.readToEnd() == [21, 3, 3, 0, 2, 2, 80])
        socket.close()
        let seen = try await bench.observation()
        #expect(seen.host?.text == "api.test" && seen.error?.hasPrefix("origin unreachable: ") == true)
        let plain = try bench.tunnel(to: Self.nowhere)
        try plain.send("QUIT\r\n")
        #expect(try plain.readToEnd().isEmpty)
        plain.close()
        #expect(try await bench.observation().error?.hasPrefix("origin unreachable: ") == true)
    }

    @Test("what is not called for a client it hears at once")
    func refused() async throws {
        let bench = try ProxyBench(["api.test": SocketAddress(try #require(IPAddress("127.0.0.3")), 1)])
        let port = bench.proxy.address.port
        let socket = try bench.connect()
        try socket.send("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        #expect(String(decoding: try socket.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 508 "))
        socket.close()
    }
}
