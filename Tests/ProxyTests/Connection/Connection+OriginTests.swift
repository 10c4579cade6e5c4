import Facts
import Loop
import Policy
import TLS
import TLSSupport
import Testing

@testable import Proxy

@Suite("Connection+Origin", .timeLimit(.minutes(15)))
struct ConnectionOriginTests {
    /// What the proxy is told to trust: nothing, the root of the origin's PKI, or the very certificate it shows.
    enum Named: CaseIterable { case nothing, root, leaf }

    @Test(
        "an origin is used only when its chain verifies for the host, whatever is named",
        arguments: [Attack.trustedCA, .selfSigned, .expired, .notYetValid, .otherHost, .untrustedCA], Named.allCases)
    func trust(flaw: Attack, named: Named) async throws {
        let pki = try TestPKI()
        let chain = try pki.chain("api.test", flaw)
        let origin = try ScriptedOrigin(chain)
        let roots: [Certificate] =
            switch named {
            case .nothing: []
            case .root: [pki.authority.root]
            case .leaf: [chain.certificates[0]]
            }
        let isGood =
            switch flaw.id {
            case Attack.trustedCA.id: named != .nothing
            // Named itself, a self-signed certificate or one of any CA is an anchor: that is what naming it means.
            case Attack.selfSigned.id, Attack.untrustedCA.id: named == .leaf
            default: false
            }
        let bench = try ProxyBench(["api.test": origin.address], trusting: roots)
        // Twice: what the first found out is kept.
        for _ in 0..<2 {
            let tls = try TestTLS(bench.tunnel(), trusting: bench.installed)
            if isGood {
                try tls.handshake()
                try tls.write(request)
                #expect(String(decoding: try tls.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
            } else {
                #expect(throws: (any Error).self) { try tls.handshake() }
            }
            tls.socket.close()
            let one = try await bench.observation()
            #expect(one.upstream?.verified == isGood && one.upstream?.chain == chain.sha256s)
            #expect((one.bytesUp > 0) == isGood)
            guard !isGood else { continue }
            #expect(one.upstream?.error?.contains("does not verify") == true)
            #expect(one.presented.isEmpty && one.flight == nil)
            #expect(one.alerts.first?.from == .proxy && one.alerts.first?.code == 80)
        }
    }

    @Test("that a chain verified for one host says nothing about another")
    func perHost() async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain("api.test"))
        let bench = try ProxyBench(
            ["api.test": origin.address, "cdn.test": origin.address], trusting: [pki.authority.root], loops: 1)
        let good = try bench.client()
        good.socket.close()
        #expect(try await bench.observation().upstream?.verified == true)
        let tls = try TestTLS(
            bench.tunnel(to: "cdn.test:443"), sni: "cdn.test", verifying: "cdn.test", trusting: bench.installed)
        #expect(throws: (any Error).self) { try tls.handshake() }
        tls.socket.close()
        let one = try await bench.observation()
        #expect(one.upstream?.verified == false && one.presented.isEmpty)
    }

    @Test("version and protocol are the origin's", arguments: [TLSVersion.tls12, .tls13], ["h2", "http/1.1", nil])
    func mirrored(version: TLSVersion, alpn: String?) async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), version: version, alpn: alpn)
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let client = try bench.client(alpn: ["h2", "http/1.1"])
        try client.write(request)
        _ = try client.readToCloseNotify()
        #expect(client.session.negotiated?.version == version && client.session.alpn == alpn)
        client.socket.close()
        let one = try await bench.observation()
        for leg in [one.negotiated, one.upstream?.negotiated] { #expect(leg?.version == version && leg?.alpn == alpn) }
    }

    @Test("a client of at most TLS 1.2 gets TLS 1.2 on both legs, and no protocol it did not offer")
    func oldClient() async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), alpn: "h2")
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let client = try bench.client(alpn: ["http/1.1"], highest: .tls12)
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.negotiated?.version == .tls12 && one.upstream?.negotiated?.version == .tls12)
        #expect(one.negotiated?.alpn == nil && one.upstream?.negotiated?.alpn == nil)
    }

    @Test("an origin that ends, resets or babbles during its handshake is told to the client", arguments: [0, 1, 2, 3])
    func brokenOrigin(kind: Int) async throws {
        let origin = try ScriptedOrigin { socket in
            _ = try socket.receive()
            switch kind {
            case 0: socket.end()
            case 1: socket.reset()
            case 2: try socket.send("SSH-2.0-OpenSSH_9\r\n")
            default: try socket.send([21, 3, 3, 0, 2, 2, 40])
            }
        }
        let bench = try ProxyBench(["api.test": origin.address])
        let socket = try bench.tunnel()
        try socket.send(TestTLS(socket, trusting: bench.installed).hello())
        #expect(try socket.readToEnd() == [21, 3, 3, 0, 2, 2, kind == 3 ? 40 : 80])
        socket.close()
        let one = try await bench.observation()
        #expect(one.upstream?.error?.isEmpty == false && one.upstream?.verified == false && one.presented.isEmpty)
    }

    @Test(
        "an origin that asks for a client certificate is noted, and what stands in its place asks for one as well",
        arguments: [TLSVersion.tls12, .tls13], [true, false])
    func clientCertificate(version: TLSVersion, asks: Bool) async throws {
        let pki = try TestPKI()
        let chain = try pki.chain()
        let origin = try ScriptedOrigin { socket in
            let tls = try TestTLS(socket, presenting: chain, version: version)
            if asks { tls.session.askForCertificate() }
            try tls.handshake()
            try ScriptedOrigin.answer(tls)
        }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let client = try bench.client()
        try client.write(request)
        _ = try client.read(until: "genuine\n")
        #expect(client.session.wasAskedForCertificate == asks)
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.upstream?.asksForCertificate == asks && one.upstream?.verified == true && one.bytesUp > 0)
        withExtendedLifetime(origin) {}
    }

    @Test("one form asks for none, for who looks at a pin only where it is to show itself")
    func unasked() async throws {
        let pki = try TestPKI()
        let chain = try pki.chain()
        let origin = try ScriptedOrigin { socket in
            let tls = try TestTLS(socket, presenting: chain)
            tls.session.askForCertificate()
            try tls.handshake()
            try ScriptedOrigin.answer(tls)
        }
        for form in [nil, "older"] {
            let bench = try ProxyBench(
                ["api.test": origin.address], trusting: [pki.authority.root], variant: form)
            let client = try bench.client()
            try client.write(request)
            _ = try client.read(until: "genuine\n")
            #expect(client.session.wasAskedForCertificate == (form == nil))
            client.socket.close()
            let one = try await bench.observation()
            #expect(one.upstream?.asksForCertificate == true && one.variant == form && one.bytesUp > 0)
        }
        withExtendedLifetime(origin) {}
    }

    /// How an origin goes that will not do without a client certificate, in TLS 1.2.
    enum Leaving: CaseIterable { case alert, fin, rst }

    private func unwilling(_ leaving: Leaving, _ chain: PresentedChain) throws -> ScriptedOrigin {
        try ScriptedOrigin { socket in
            let tls = try TestTLS(socket, presenting: chain, version: .tls12, alpn: "http/1.1")
            guard leaving != .alert else {
                tls.session.requireCertificate()
                return try tls.handshake()
            }
            tls.session.askForCertificate()
            // Its flight, and then what is said to it.
            try tls.step()
            _ = try socket.receive()
            leaving == .fin ? socket.end() : socket.reset()
        }
    }

    @Test(
        "an origin that ends the handshake for want of a client certificate is stood in for all the same",
        arguments: Leaving.allCases)
    func missedCertificate(leaving: Leaving) async throws {
        let pki = try TestPKI()
        let origin = try unwilling(leaving, pki.chain())
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let refusing = try bench.client(alpn: ["h2", "http/1.1"])
        #expect(refusing.session.wasAskedForCertificate)
        try refusing.closeNotify()
        refusing.socket.close()
        let one = try await bench.observation()
        #expect(one.upstream?.asksForCertificate == true && one.upstream?.verified == true)
        #expect(one.upstream?.error == nil && !one.presented.isEmpty && one.finishedMS != nil)
        for leg in [one.negotiated, one.upstream?.negotiated] {
            #expect(leg?.version == .tls12 && leg?.alpn == "http/1.1")
        }
        // The origin's end was held back: it is the client that went, without a byte.
        #expect(one.close?.by == .client && one.close?.how == .closeNotify && one.bytesUp == 0)
        let falling = try bench.client()
        try falling.write(request)
        _ = try? falling.readToCloseNotify()
        falling.socket.close()
        #expect(try await bench.observation().bytesUp == request.utf8.count)
        withExtendedLifetime(origin) {}
    }

    @Test("one that asks for a certificate and shows none that verifies is stood in for by nobody")
    func missedCertificateOfAnotherHost() async throws {
        let pki = try TestPKI()
        let origin = try unwilling(.alert, pki.chain("other.test"))
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let tls = try TestTLS(bench.tunnel(), trusting: bench.installed)
        #expect(throws: (any Error).self) { try tls.handshake() }
        tls.socket.close()
        let one = try await bench.observation()
        #expect(one.upstream?.verified == false && one.presented.isEmpty && one.flight == nil)
        withExtendedLifetime(origin) {}
    }
}
