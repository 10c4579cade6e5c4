import Facts
import Loop
import Policy
import Proxy
import TLS

/// The real proxy as the runner sees it.
struct ServerControl: ProxyControl {
    let server: ProxyServer
    /// What origins are verified against; put back with every plan, as the self-test trusts its own origin.
    let trust: TrustStore

    /// Makes the keys that take long; no attack begins before, as a client would wait for them.
    let keys: KeysAhead

    func apply(_ plan: Plan) async throws {
        if case .attack = plan.phase { await keys.wait() }
        try await server.apply(plan, trust: trust)
    }
    func settle() async { await server.settle() }
    func endConnections() async { await server.endConnections() }
    func stop() async { await server.stop() }
}
