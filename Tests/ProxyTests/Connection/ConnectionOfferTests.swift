import Facts
import Loop
import Policy
import Support
import TLS
import Testing

@testable import Proxy

@Suite("what is agreed with a client", .timeLimit(.minutes(15)))
struct ConnectionOfferTests {
    private func bench(
        _ attack: Attack, _ variant: String? = nil, version: TLSVersion? = nil, alpn: String? = nil,
        _ serve: @escaping @Sendable (TestTLS) throws -> Void = ScriptedOrigin.answer
    ) throws -> (ProxyBench, ScriptedOrigin) {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), version: version, alpn: alpn, serve)
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: attack, variant: variant)
        return (bench, origin)
    }

    // MARK: trusted-ca in other clothes

    @Test("TLS 1.2 is agreed on where client and origin do 1.3")
    func onlyTLS12() async throws {
        let (bench, origin) = try bench(.trustedCA, "tls-1.2", alpn: "http/1.1")
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.visitor(alpn: ["h2", "http/1.1"])
        try client.write(request)
        _ = try client.read(until: "genuine\n")
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.attack == .trustedCA && one.variant == "tls-1.2" && one.bytesUp > 0)
        #expect(one.negotiated?.version == .tls12 && one.negotiated?.alpn == "http/1.1")
        #expect(one.upstream?.negotiated?.version == .tls13)
    }

    @Test("HTTP/1.1 is agreed on where client and origin do HTTP/2", arguments: ["h2", "http/1.1"])
    func onlyHTTP1(origins: String) async throws {
        let (bench, origin) = try bench(.trustedCA, "http-1.1", alpn: origins)
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.visitor(alpn: ["h2", "http/1.1"])
        try client.write(request)
        _ = try client.read(until: "genuine\n")
        client.socket.close()
        let one = try await bench.observation()
        // This origin knows one protocol, and without it answers none.
        let agreed = origins == "h2" ? nil : "http/1.1"
        #expect(one.variant == "http-1.1" && one.status == 200 && one.bytesUp > 0)
        #expect(one.negotiated?.alpn == agreed && one.upstream?.negotiated?.alpn == agreed)
    }

    @Test(
        "the older handshake takes what the client still has on offer",
        arguments: [
            (["h2", "http/1.1"], TLSVersion.tls12, "http/1.1"), (["http/1.1"], .tls12, "http/1.1"),
            (["h2"], .tls12, "h2"),
        ])
    func older(alpn: [String], version: TLSVersion, agreed: String) async throws {
        let (bench, origin) = try bench(.trustedCA, "older", alpn: agreed)
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.visitor(alpn: alpn)
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.attack == .trustedCA && one.variant == "older" && one.finishedMS != nil)
        #expect(one.negotiated?.version == version && one.negotiated?.alpn == agreed)
        #expect(one.negotiated?.cipher.contains("RSA") == true && one.upstream?.negotiated?.version == .tls13)
    }

    @Test(
        "TLS 1.3 is agreed on where the origin takes 1.2 alone, and the client has it on offer",
        arguments: [(TLSVersion.tls13, TLSVersion.tls13), (.tls12, .tls12)])
    func newerTLS(highest: TLSVersion, agreed: TLSVersion) async throws {
        let (bench, origin) = try bench(.trustedCA, "newer", version: .tls12)
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.visitor(highest: highest)
        try client.write(request)
        _ = try client.read(until: "genuine\n")
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.attack == .trustedCA && one.variant == "newer" && one.bytesUp > 0 && one.status == 200)
        #expect(one.negotiated?.version == agreed && one.upstream?.negotiated?.version == .tls12)
    }

    @Test("HTTP/2 that the origin does not speak is agreed on and read, and nothing of it reaches the origin")
    func newerHTTP() async throws {
        let heard = Locked<[UInt8]?>(nil)
        let done = Gate()
        let (bench, origin) = try bench(.trustedCA, "newer", alpn: "http/1.1") { tls in
            let bytes = try tls.readToCloseNotify()
            heard.withLock { $0 = bytes }
            done.open()
        }
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.visitor(alpn: ["h2", "http/1.1"])
        #expect(try client.read(count: 9) == [0, 0, 0, 4, 0, 0, 0, 0, 0])
        try client.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.variant == "newer" && one.bytesUp == 24 && one.negotiated?.alpn == "h2")
        #expect(one.upstream?.negotiated?.alpn == "http/1.1" && one.upstream?.verified == true)
        await withCheckedContinuation { continuation in
            onThread {
                done.wait()
                continuation.resume()
            }
        }
        #expect(heard.withLock { $0 } == [])
    }

    @Test("what the origin speaks itself is relayed as ever", arguments: ["h2", "http/1.1"])
    func nothingNewer(alpn: String) async throws {
        let (bench, origin) = try bench(.trustedCA, "newer", alpn: alpn)
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.visitor(alpn: [alpn])
        try client.write(request)
        _ = try client.read(until: "genuine\n")
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.negotiated?.alpn == alpn && one.negotiated?.version == .tls13 && one.bytesUp > 0)
    }

    @Test("a client that has nothing older is shown what it takes", .enabled(if: Command.isInstalled("openssl")))
    func nothingOlder() async throws {
        let (bench, origin) = try bench(.trustedCA, "older")
        defer { withExtendedLifetime(origin) {} }
        #expect(try await old(bench, "-tls1_3").contains("genuine"))
        let one = try await bench.observation()
        #expect(one.negotiated?.version == .tls13 && one.bytesUp > 0)
    }

    // MARK: old-tls

    /// openssl's client, which can still do what is old. Empty arguments: as it comes.
    private func old(_ bench: ProxyBench, _ arguments: String) async throws -> String {
        let usual = ["s_client", "-ign_eof", "-proxy", bench.proxy.endpoint.description, "-connect", "api.test:443"]
        return try await Command.run(
            "openssl", usual + ["-servername", "api.test"] + arguments.split(separator: " ").map(String.init),
            input: request
        ).output
    }

    @Test(
        "a client that still does what is old is served it", .enabled(if: Command.isInstalled("openssl")),
        arguments: [
            ("tls-1.0", "-tls1 -cipher DEFAULT:@SECLEVEL=0", TLSVersion.tls10, "CBC"),
            ("tls-1.1", "-no_tls1_3 -no_tls1_2 -cipher AES128-SHA:@SECLEVEL=0", .tls11, "RSA"),
            ("null-cipher", "-tls1_2 -cipher ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0", .tls12, "ECDSA_WITH_NULL"),
            ("null-cipher", "-tls1_2 -cipher NULL-SHA256:AES128-SHA:@SECLEVEL=0", .tls12, "RSA_WITH_NULL"),
            ("anonymous", "-tls1_2 -cipher AECDH-AES128-SHA:@SECLEVEL=0", .tls12, "anon"),
            ("anonymous", "-tls1_2 -cipher ADH:@SECLEVEL=0", .tls12, "DH_anon"),
        ])
    func oldTLS(variant: String, arguments: String, version: TLSVersion, suite: String) async throws {
        let (bench, origin) = try bench(.oldTLS, variant)
        defer { withExtendedLifetime(origin) {} }
        #expect(try await old(bench, arguments).contains("genuine"))
        let one = try await bench.observation()
        #expect(one.attack == "old-tls" && one.variant == variant && one.bytesUp > 0 && one.status == 200)
        #expect(one.negotiated?.version == version && one.negotiated?.cipher.contains(suite) == true)
        #expect(one.flight?.delivered == true && one.presented.isEmpty == (variant == "anonymous"))
        #expect(one.hello?.weakSuites.isEmpty == (version < .tls12))
    }

    @Test(
        "a client of today is told that there is nothing in common",
        arguments: [
            ("tls-1.0", UInt8(70)), ("tls-1.1", 70), ("null-cipher", 40), ("anonymous", 40),
        ])
    func nothingInCommon(variant: String, code: UInt8) async throws {
        let (bench, origin) = try bench(.oldTLS, variant)
        defer { withExtendedLifetime(origin) {} }
        let tls = try TestTLS(bench.tunnel(), trusting: bench.installed)
        #expect(throws: Refused.self) { try tls.handshake() }
        tls.socket.close()
        let one = try await bench.observation()
        #expect(one.action == .intercepted && one.attack == "old-tls" && one.variant == variant)
        #expect(one.alerts.first { $0.from == .proxy }?.code == code && one.alerts.first?.epoch == .plaintext)
        #expect(one.flight == nil && one.bytesUp == 0 && one.upstream?.verified == true)
    }
}
