import Facts
import Loop
import Policy
import Support
import TLS
import Testing

@testable import Proxy

/// What an origin with TLS 1.3 says to a client that comes with TLS 1.2 (RFC 8446 §4.1.3, RFC 7507).
@Suite("a downgrade", .timeLimit(.minutes(15)))
struct ConnectionDowngradeTests {
    private func bench(_ version: TLSVersion?, isDebugging: Bool = true) throws -> (ProxyBench, ScriptedOrigin) {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), version: version, alpn: nil, ScriptedOrigin.answer)
        let bench = try ProxyBench(
            ["api.test": origin.address], trusting: [pki.authority.root], attack: isDebugging ? nil : .trustedCA
        ) { if isDebugging { $0.plan = Plan(profile: $0.plan.profile, phase: .debugging) } }
        return (bench, origin)
    }

    @Test(
        "the end of the random says that the server could do TLS 1.3 where its origin says so, when debugging",
        arguments: [(nil, TLSVersion.tls12, true), (.tls12, .tls12, false), (nil, .tls13, false)]
            as [(
                TLSVersion?, TLSVersion, Bool
            )])
    func sentinel(origins: TLSVersion?, clients: TLSVersion, isThere: Bool) async throws {
        let (bench, origin) = try bench(origins)
        defer { withExtendedLifetime(origin) {} }
        let client = try bench.visitor(highest: clients)
        try client.write(request)
        _ = try client.read(until: "genuine\n")
        #expect(client.session.originKnowsNewer == isThere)
    }

    @Test(
        "a fallback that says it is one is served where the origin serves it, and by the gate always",
        .enabled(if: Command.isInstalled("openssl")),
        arguments: [(nil, true, false), (.tls12, true, true), (nil, false, true)] as [(TLSVersion?, Bool, Bool)])
    func fallback(origins: TLSVersion?, isDebugging: Bool, isServed: Bool) async throws {
        let (bench, origin) = try bench(origins, isDebugging: isDebugging)
        defer { withExtendedLifetime(origin) {} }
        let client = try await Command.run(
            "openssl",
            [
                "s_client", "-ign_eof", "-proxy", bench.proxy.endpoint.description, "-connect", "api.test:443",
                "-servername", "api.test", "-tls1_2", "-fallback_scsv",
            ], input: request)
        #expect(client.output.contains("genuine") == isServed, "\(client.output)")
        #expect(client.errors.contains("inappropriate fallback") == !isServed, "\(client.errors)")
    }
}
