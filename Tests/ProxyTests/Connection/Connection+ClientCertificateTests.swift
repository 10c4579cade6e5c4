import Facts
import Loop
import Policy
import TLS
import TLSSupport
import Testing

@testable import Proxy

@Suite("Connection+ClientCertificate", .timeLimit(.minutes(15)))
struct ConnectionClientCertificateTests {
    enum Moment: CaseIterable { case tls12, tls13, afterwards }

    private let pki: TestPKI
    private let client: TLSSupport.Origin
    private let shown = Locked<[String]>([])

    init() throws {
        pki = try TestPKI()
        client = try TLSSupport.Origin("client.test")
    }

    /// An origin that answers only who shows a certificate.
    private func origin(_ moment: Moment) throws -> ScriptedOrigin {
        let chain = try pki.chain()
        return try ScriptedOrigin { [shown] socket in
            let tls = try TestTLS(socket, presenting: chain, version: moment == .tls12 ? .tls12 : .tls13)
            if moment != .afterwards { tls.session.requireCertificate() }
            try tls.handshake()
            _ = try tls.read(until: "\r\n\r\n")
            if moment == .afterwards {
                guard tls.session.requireCertificateNow() else { return tls.socket.reset() }
                try tls.socket.send(tls.takeOutput())
                while tls.session.shownCertificate == nil { try tls.step() }
            }
            shown.withLock { $0.append(tls.session.shownCertificate?.sha256 ?? "none") }
            try tls.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\ngenuine\n")
            try tls.closeNotify()
            tls.socket.end()
            _ = try tls.socket.readToEnd()
        }
    }

    private func bench(_ origin: ScriptedOrigin, for pattern: String) throws -> ProxyBench {
        let identity = try #require(ClientIdentity([client.root, client.leaf], key: client.key))
        let identities = ClientIdentities([(try #require(HostPattern(pattern)), identity)])
        return try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root]) {
            $0.plan = Plan(profile: $0.plan.profile, phase: .debugging)
            $0.identities = identities
        }
    }

    @Test(
        "an origin that requires a client certificate is shown the one for its name, in the handshake and after it",
        arguments: Moment.allCases)
    func required(moment: Moment) async throws {
        let origin = try origin(moment)
        let bench = try bench(origin, for: "*.test")
        let visitor = try bench.client()
        try visitor.write(request)
        #expect(String(decoding: try visitor.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        visitor.socket.close()
        let one = try await bench.observation()
        #expect(shown.withLock { $0 } == [client.leaf.sha256])
        #expect(one.upstream?.verified == true && one.upstream?.error == nil && one.action == .intercepted)
        withExtendedLifetime(origin) {}
    }

    @Test("a host that it is not for is shown nothing", arguments: Moment.allCases)
    func other(moment: Moment) async throws {
        let origin = try origin(moment)
        let bench = try bench(origin, for: "other.test")
        let visitor = try? bench.client()
        try? visitor?.write(request)
        _ = try? visitor?.readToCloseNotify()
        visitor?.socket.close()
        _ = try await bench.observation()
        #expect(shown.withLock { $0 }.isEmpty)
        withExtendedLifetime(origin) {}
    }
}
