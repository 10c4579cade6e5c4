import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Connection+Home", .timeLimit(.minutes(15)))
struct ConnectionHomeTests {
    /// A host that has to refuse lives at the address, at another port than the one that is called.
    private func bench(
        _ pki: TestPKI, _ home: ScriptedOrigin, attack: Attack? = .trustedCA
    ) throws -> ProxyBench {
        try ProxyBench(["api.test": home.address], trusting: [pki.authority.root], attack: attack)
    }

    /// Asks at an address, without a name; what the client takes for granted is the genuine name.
    private func visit(_ bench: ProxyBench, at address: SocketAddress, trusting trust: TrustStore) throws {
        let tls = try TestTLS(bench.tunnel(to: address.description), sni: nil, trusting: trust)
        try tls.handshake()
        try tls.write(request)
        _ = try tls.readToCloseNotify()
        tls.socket.close()
    }

    @Test("at another port of a host's address, who shows a certificate for the host is that host, and is attacked")
    func sameHost() async throws {
        let pki = try TestPKI()
        let (home, there) = (try ScriptedOrigin(pki.chain()), try ScriptedOrigin(pki.chain()))
        let bench = try bench(pki, home)
        for _ in 0..<2 {
            try visit(bench, at: there.address, trusting: bench.installed)
            let seen = try await bench.observation()
            #expect(seen.action == .intercepted && seen.host?.text == "api.test" && seen.bytesUp > 0)
            #expect(seen.hello?.sni == nil && seen.target == there.address.endpoint)
        }
    }

    @Test("untouched it is told as the host's as well")
    func untouched() async throws {
        let pki = try TestPKI()
        let (home, there) = (try ScriptedOrigin(pki.chain()), try ScriptedOrigin(pki.chain()))
        let bench = try bench(pki, home, attack: nil)
        try visit(bench, at: there.address, trusting: TrustStore(systemRoots: false, roots: [pki.authority.root]))
        let seen = try await bench.observation()
        #expect(seen.action == .tunnelled && seen.host?.text == "api.test" && seen.passthroughData)
    }

    @Test("a certificate for another name, or none at all: nobody's, and left alone")
    func strangers() async throws {
        let pki = try TestPKI()
        let home = try ScriptedOrigin(pki.chain())
        let other = try ScriptedOrigin(pki.chain("other.test"))
        let bench = try bench(pki, home)
        let tls = try TestTLS(
            bench.tunnel(to: other.address.description), sni: nil, verifying: "other.test",
            trusting: TrustStore(systemRoots: false, roots: [pki.authority.root]))
        try tls.handshake()
        try tls.write(request)
        _ = try tls.readToCloseNotify()
        tls.socket.close()
        let seen = try await bench.observation()
        #expect(seen.action == .tunnelled && seen.host == seen.target?.host && seen.passthroughData)

        // Once it was spoken to: a reset that comes before the call is through is an origin that cannot be reached.
        let dead = try ScriptedOrigin { socket in
            _ = try socket.receive()
            socket.reset()
        }
        let socket = try bench.tunnel(to: dead.address.description)
        try socket.send(TestTLS(socket, sni: nil, trusting: bench.installed).hello())
        _ = try? socket.readToEnd()
        socket.close()
        #expect(try await bench.observation().action == .tunnelled)
    }
}
