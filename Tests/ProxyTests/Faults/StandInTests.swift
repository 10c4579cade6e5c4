import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// A host that has shown its chain, and on a later connection cannot be had: a client that trusts the CA sends it its request.
@Suite("Faults: origins that cannot be had", .timeLimit(.minutes(15)))
struct StandInTests {
    enum Way: CaseIterable {
        /// It closes the connection; it resets it; it shows another host's chain; it speaks no TLS.
        case leaves, resets, showsAnother, answersInClear
    }

    private func origin(_ pki: TestPKI, then way: Way) throws -> ScriptedOrigin {
        let (chain, other) = (try pki.chain(), try pki.chain("cdn.test"))
        let count = Locked(0)
        return try ScriptedOrigin { socket in
            let number = count.withLock { count in
                count += 1
                return count
            }
            switch (number, way) {
            case (1, _), (_, .showsAnother):
                let tls = try TestTLS(socket, presenting: number == 1 ? chain : other, version: .tls13, alpn: "h2")
                try tls.handshake()
                try ScriptedOrigin.answer(tls)
            case (_, .leaves): socket.end()
            case (_, .resets): socket.reset()
            case (_, .answersInClear):
                try socket.send("HTTP/1.1 400 Bad Request\r\n\r\n")
                _ = try socket.readToEnd()
            }
        }
    }

    @Test(
        "a client that trusts whoever shows a chain is found out where its server cannot be had",
        arguments: Way.allCases)
    func found(way: Way) async throws {
        let pki = try TestPKI()
        let origin = try origin(pki, then: way)
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let first = try bench.client(alpn: ["h2"])
        first.socket.close()
        #expect(try await bench.observation().isStoodIn == false)

        let second = try bench.client(alpn: ["grpc-exp"], highest: .tls12)
        #expect(second.session.negotiated?.version == .tls12 && second.session.alpn == "grpc-exp")
        try second.write("POST / HTTP/1.1\r\nHost: api.test\r\nContent-Length: 0\r\n\r\n")
        _ = try? second.readToCloseNotify()
        second.socket.close()
        let one = try await bench.observation()
        #expect(one.isStoodIn && one.action == .intercepted && one.attack == Attack.trustedCA.id)
        #expect(one.bytesUp > 0 && one.bytesDown == 0 && !one.presented.isEmpty)
        #expect(one.upstream?.error != nil && one.error == nil)
        withExtendedLifetime(origin) {}
    }

    @Test("a host that has shown nothing yet cannot be stood in for")
    func unknown() async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin { $0.end() }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        #expect(throws: (any Error).self) { try bench.client() }
        let one = try await bench.observation()
        #expect(!one.isStoodIn && one.presented.isEmpty && one.upstream?.error != nil)
        withExtendedLifetime(origin) {}
    }

    @Test("a server name that is none does not save its client", arguments: [true, false])
    func oddName(isAttacked: Bool) async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain())
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: isAttacked ? .trustedCA : nil)
        // "api.test:443" in place of the name, in a ClientHello that has none.
        let socket = try bench.tunnel()
        let client = try TestTLS(socket, sni: nil, trusting: bench.either)
        let hello = try #require(HelloEdit.named("api.test:443", client.hello()))
        try socket.send(hello)
        _ = try? client.step()
        socket.close()
        let one = try await bench.observation()
        #expect(one.host == HostName("api.test") && one.error == nil)
        #expect(one.action == (isAttacked ? .intercepted : .tunnelled))
        #expect(isAttacked ? !one.presented.isEmpty : one.serverAnswered)
        withExtendedLifetime(origin) {}
    }
}

/// Changes of a ClientHello that no library makes.
private enum HelloEdit {
    /// With a server name (RFC 6066 §3) of whatever text; nil where it is no ClientHello in one record.
    static func named(_ name: String, _ hello: [UInt8]) -> [UInt8]? {
        guard hello.count > 44, hello[0] == 22, hello[5] == 1 else { return nil }
        var at = 5 + 4 + 2 + 32
        at += 1 + Int(hello[at])
        at += 2 + Int(hello[at]) << 8 + Int(hello[at + 1])
        at += 1 + Int(hello[at])
        guard hello.count >= at + 2 else { return nil }
        let list = [0] + two(name.utf8.count) + Array(name.utf8)
        let body = two(list.count) + list
        let one: [UInt8] = [0, 0] + two(body.count) + body
        var changed = hello
        changed.replaceSubrange(at..<at + 2, with: two(Int(hello[at]) << 8 + Int(hello[at + 1]) + one.count) + one)
        let whole = changed.count - 5
        changed.replaceSubrange(3..<5, with: two(whole))
        changed.replaceSubrange(6..<9, with: [UInt8((whole - 4) >> 16)] + two((whole - 4) & 0xffff))
        return changed
    }

    private static func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }
}
