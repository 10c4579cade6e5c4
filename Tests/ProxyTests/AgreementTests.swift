import Policy
import TLS
import TLSSupport
import Testing

@testable import Proxy

/// A client may refuse what its origin would never have chosen, and that is no refusal of a certificate.
@Suite("what is agreed on with clients", .timeLimit(.minutes(5)))
struct AgreementTests {
    static let modern = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"]
    static let older = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305", "AES128-SHA", "AES256-SHA384"]

    /// What client and origin have agreed to, where the latter takes one suite alone.
    private func agreed(_ suite: String, _ attack: Attack, rsa: Bool = false) async throws -> (String?, String?) {
        let pki = try TestPKI()
        let chain = try pki.chain(rsa: rsa)
        let origin = try ScriptedOrigin { socket in
            let tls = try TestTLS(socket, presenting: chain, version: suite.hasPrefix("TLS_") ? .tls13 : .tls12)
            tls.session.insist(on: suite)
            try tls.handshake()
            try ScriptedOrigin.answer(tls)
        }
        defer { withExtendedLifetime(origin) {} }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root], attack: attack)
        let client = try bench.client()
        try client.write("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        _ = try client.readToCloseNotify()
        client.socket.close()
        let one = try await bench.observation()
        return (one.negotiated?.cipher, one.upstream?.negotiated?.cipher)
    }

    @Test(
        "under attack a client has the suite that its origin chooses",
        arguments: modern + older.map { "ECDHE-ECDSA-" + $0 })
    func mirrored(suite: String) async throws {
        for attack in [Attack.trustedCA, .resumedSession] {
            let (shown, genuine) = try await agreed(suite, attack)
            #expect(shown == genuine && shown != nil)
        }
    }

    @Test(
        "an origin that knows no other key exchange than RSA's is no reason to have a client encrypt to a key that is not ours"
    )
    func staticRSA() async throws {
        let (shown, genuine) = try await agreed("AES256-GCM-SHA384", .trustedCA, rsa: true)
        #expect(genuine == "TLS_RSA_WITH_AES_256_GCM_SHA384")
        #expect(shown?.hasPrefix("TLS_ECDHE_") == true && shown?.hasSuffix("WITH_AES_256_GCM_SHA384") == true)
    }

    @Test("of an origin with an RSA key the encryption is the same, whichever key ours is")
    func rsaOrigin() async throws {
        let (shown, genuine) = try await agreed("ECDHE-RSA-CHACHA20-POLY1305", .trustedCA, rsa: true)
        #expect(genuine == "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256")
        #expect(shown?.hasSuffix("CHACHA20_POLY1305_SHA256") == true)
    }
}
