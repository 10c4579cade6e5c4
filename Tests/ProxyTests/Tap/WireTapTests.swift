import Facts
import Loop
import TLS
import Testing

@testable import Proxy

/// What crossed the wire, in words and bytes.
private final class Wire: WireTap, Sendable {
    struct Seen {
        var up: [UInt8] = []
        var down: [UInt8] = []
        var ends: [String] = []
    }

    let seen = Locked<[Seen]>([])

    func accepted(from client: SocketAddress, at local: SocketAddress) -> (any StreamWitness)? {
        let index = seen.withLock { seen in
            seen.append(Seen())
            return seen.count - 1
        }
        return Witness(self, index)
    }

    private final class Witness: StreamWitness {
        private let wire: Wire
        private let index: Int

        init(_ wire: Wire, _ index: Int) {
            self.wire = wire
            self.index = index
        }

        private func change(_ body: (inout Seen) -> Void) { wire.seen.withLock { body(&$0[index]) } }

        func received(_ bytes: Span<UInt8>) {
            var copy: [UInt8] = []
            copy.append(copying: bytes)
            change { $0.up += copy }
        }
        func settled() {}
        func sent(_ bytes: Span<UInt8>) {
            var copy: [UInt8] = []
            copy.append(copying: bytes)
            change { $0.down += copy }
        }
        func peerEnded() { change { $0.ends.append("peer") } }
        func ended() { change { $0.ends.append("own") } }
        func failed(_ error: SystemError) { change { $0.ends.append("failed") } }
        func closed(byReset: Bool) { change { $0.ends.append(byReset ? "reset" : "closed") } }
    }
}

@Suite("WireTap", .timeLimit(.minutes(15)))
struct WireTapTests {
    @Test("it is shown every byte between client and proxy, in front of the tunnel too, and the end, once")
    func everything() async throws {
        let pki = try TestPKI()
        let chain = try pki.chain()
        let origin = try ScriptedOrigin { socket in
            let tls = try TestTLS(socket, presenting: chain)
            try tls.handshake()
            try ScriptedOrigin.answer(tls)
        }
        let wire = Wire()
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root]) { $0.wire = wire }
        let client = try TestTLS(bench.tunnel(), trusting: bench.installed)
        try client.handshake()
        try client.write(request)
        _ = try client.readToCloseNotify()
        client.socket.close()
        _ = try await bench.observation()
        let seen = wire.seen.withLock { $0 }
        #expect(seen.count == 1)
        let one = try #require(seen.first)
        #expect(one.up.starts(with: "CONNECT api.test:".utf8) && one.down.starts(with: "HTTP/1.1 200 ".utf8))
        // Behind both heads nothing but records of TLS, whole ones.
        for bytes in [one.up, one.down] {
            var rest = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
            var types: [UInt8] = []
            while rest + 5 <= bytes.count {
                types.append(bytes[rest])
                rest += 5 + (Int(bytes[rest + 3]) << 8 | Int(bytes[rest + 4]))
            }
            #expect(rest == bytes.count && types.first == 22 && types.contains(23))
        }
        #expect(one.ends.last == "closed" || one.ends.last == "reset")
        #expect(one.ends.count { $0 == "closed" || $0 == "reset" } == 1)
        withExtendedLifetime(origin) {}
    }
}
