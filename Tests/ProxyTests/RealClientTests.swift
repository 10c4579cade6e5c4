import Facts
import Foundation
import Loop
import Policy
import Support
import TLS
import TLSSupport
import Testing

@testable import Proxy

/// What programs of this machine show that no client of ours can: other offers, sessions, other stacks.
@Suite("Real clients", .timeLimit(.minutes(15)))
struct RealClientTests {
    private func bench(_ attack: Attack = .trustedCA, version: TLSVersion? = nil) throws -> (ProxyBench, ScriptedOrigin)
    {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), version: version)
        return (
            try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root], attack: attack), origin
        )
    }

    private func withRoot<Value>(_ bench: ProxyBench, _ body: (String) async throws -> Value) async throws -> Value {
        let path = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID().uuidString).pem")
        try Data(bench.authority.root.pem.utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        return try await body(path.path)
    }

    private func sClient(_ bench: ProxyBench, _ arguments: [String]) async throws -> String {
        try await Command.run(
            "openssl",
            [
                "s_client", "-ign_eof", "-proxy", bench.proxy.endpoint.description, "-connect", "api.test:443",
                "-servername",
                "api.test",
            ]
                + arguments, input: request
        ).output
    }

    @Test(
        "a client that can only do RSA gets an RSA leaf", .enabled(if: Command.isInstalled("openssl")),
        arguments: [
            ["-tls1_3", "-sigalgs", "rsa_pss_rsae_sha256"],
            ["-tls1_2", "-sigalgs", "RSA-PSS+SHA256:RSA+SHA256"],
            ["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"],
        ])
    func rsaOnly(offer: [String]) async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let said = try await sClient(bench, offer)
        #expect(said.contains("Peer signature type: RSA-PSS") || said.contains("Peer signature type: RSA"))
        #expect(said.contains("genuine"))
        #expect(try await bench.observation().bytesUp > 0)
    }

    @Test("nothing is ever resumed, and no ticket is handed out", .enabled(if: Command.isInstalled("openssl")))
    func reconnect() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let modern = try await sClient(bench, ["-tls1_3"])
        #expect(modern.contains("New, TLSv1.3") && !modern.contains("New Session Ticket"))
        #expect(try await bench.observation().resumed == false)
        // Five more connections, each offering the session of the first.
        let old = try await Command.run(
            "openssl",
            [
                "s_client", "-connect", bench.proxy.endpoint.description, "-servername", "api.test", "-tls1_2",
                "-reconnect",
            ]
        ).output
        #expect(old.components(separatedBy: "New, TLSv1.2").count == 7)
        #expect(!old.contains("Reused") && !old.contains("TLS session ticket:"))
        for one in await bench.rest() { #expect(!one.resumed && one.presented.count == 1) }
    }

    @Test(
        "a client that offers a key of its own gets a full handshake all the same",
        .enabled(if: Command.isInstalled("openssl"))
    )
    func preSharedKey() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let said = try await sClient(bench, ["-tls1_3", "-psk", "1a2b3c4d", "-psk_identity", "me"])
        #expect(said.contains("New, TLSv1.3") && said.contains("genuine"), "\(said)")
        let one = try await bench.observation()
        #expect(one.hello?.offersPSK == true && !one.resumed && one.presented.count == 1 && one.bytesUp > 0)
    }

    @Test(
        "OpenSSL's refusal is noted with its level, code and keys in either version",
        .enabled(if: Command.isInstalled("openssl")), arguments: ["-tls1_2", "-tls1_3"])
    func refusal(version: String) async throws {
        let (bench, origin) = try bench(.untrustedCA)
        defer { withExtendedLifetime(origin) {} }
        try await withRoot(bench) { root in
            _ = try await sClient(bench, [version, "-CAfile", root, "-verify_return_error"])
        }
        let one = try await bench.observation()
        let alert = try #require(one.alerts.first { $0.from == .client })
        #expect(alert.code == 48 && alert.level == 2 && alert.epoch == .plaintext)
        #expect(one.flight?.delivered == true && one.finishedMS == nil && one.close?.by == .client)
    }

    @Test("GnuTLS refuses under handshake keys in TLS 1.3", .enabled(if: Command.isInstalled("gnutls-cli")))
    func gnutls() async throws {
        let (bench, origin) = try bench(.untrustedCA)
        defer { withExtendedLifetime(origin) {} }
        let address = bench.proxy.endpoint
        _ = try await Command.run(
            "gnutls-cli", ["--sni-hostname=api.test", "--port=\(address.port)", address.host.text])
        let one = try await bench.observation()
        let alert = try #require(one.alerts.first { $0.from == .client })
        #expect(alert.isFatal && alert.code == 42 && alert.epoch != .plaintext)
        #expect(one.bytesUp == 0)
    }

    @Test("curl is served over HTTP/1.1 through CONNECT and SOCKS5", .enabled(if: Command.isInstalled("curl")))
    func curl() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        let address = bench.proxy.endpoint.description
        try await withRoot(bench) { root in
            for proxy in ["http://\(address)", "socks5h://\(address)"] {
                let got = try await Command.run(
                    "curl", ["-sS", "--noproxy", "", "--proxy", proxy, "--cacert", root, "https://api.test/"])
                #expect(got.status == 0 && got.output == "genuine\n")
            }
        }
        for one in await bench.rest() { #expect(one.first?.shape == "http/1 GET" && one.close?.by != .proxy) }
    }

    @Test(
        "clients that demand a stapled OCSP answer are served where the origin staples, and only there",
        .enabled(if: Command.isInstalled("curl") && Command.isInstalled("openssl")),
        arguments: [(true, false), (false, false), (true, true)])
    func stapled(staples: Bool, isControl: Bool) async throws {
        let pki = try TestPKI()
        let chain = try pki.chain()
        let answer = try staples ? chain.genuineStaple(now: WallClock.now) : nil
        // curl looks for the issuer among what is presented, and nowhere else. A control's chain has it whatever the origin's.
        let whole = chain.certificates + (isControl ? [] : [pki.authority.root])
        let shown = PresentedChain(certificates: whole, key: chain.key)
        let origin = try ScriptedOrigin { socket in
            let tls = try TestTLS(socket, presenting: shown, stapling: answer)
            try tls.handshake()
            try ScriptedOrigin.answer(tls)
        }
        defer { withExtendedLifetime(origin) {} }
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], accepted: isControl ? ["api.test"] : [])
        let address = bench.proxy.endpoint.description
        try await withRoot(bench) { root in
            for version in ["1.2", "1.3"] {
                let got = try await Command.run(
                    "curl",
                    [
                        "-sS", "--cert-status", "--noproxy", "", "--proxy", "http://\(address)", "--cacert", root,
                        "--tls-max", version, "https://api.test/",
                    ])
                #expect((got.status == 0) == staples && (got.output == "genuine\n") == staples, "\(got)")
            }
            for version in ["-tls1_2", "-tls1_3"] {
                let said = try await sClient(bench, [version, "-status", "-CAfile", root])
                #expect(said.contains("OCSP Response Status: successful") == staples)
                #expect(said.contains("Cert Status: good") == staples && said.contains("genuine"))
            }
        }
        for one in await bench.rest() { #expect(!one.unlike.contains("staple")) }
    }

    @Test("PHP's streams, HTTP/1.0 through a proxy, are served", .enabled(if: Command.isInstalled("php")))
    func php() async throws {
        let (bench, origin) = try bench()
        defer { withExtendedLifetime(origin) {} }
        try await withRoot(bench) { root in
            let script = """
                $c = stream_context_create(['http' => ['proxy' => 'tcp://\(bench.proxy.endpoint)', 'request_fulluri' => true],
                  'ssl' => ['cafile' => '\(root)', 'SNI_enabled' => true, 'peer_name' => 'api.test']]);
                echo file_get_contents('https://api.test/', false, $c);
                """
            let got = try await Command.run("php", ["-n", "-r", script])
            #expect(got.output == "genuine\n")
        }
        let one = try await bench.observation()
        #expect(one.bytesUp > 0 && one.host?.text == "api.test")
    }
}
