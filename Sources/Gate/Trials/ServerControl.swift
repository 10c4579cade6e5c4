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

    let keys: AttackKeys

    func apply(_ plan: Plan) async throws {
        if case .attack(_, let variant, _) = plan.phase { await keys.beReady(for: variant.recipe) }
        try await server.apply(plan, trust: trust)
    }
    func settle() async { await server.settle() }
    func endConnections() async { await server.endConnections() }
    func stop() async { await server.stop() }
}

/// The keys that take long, made before an attack begins: a client would wait for them.
struct AttackKeys: Sendable {
    let material: ForgeMaterial
    let ahead: KeysAhead

    func beReady(for recipe: Recipe) async {
        await ahead.wait()
        guard material.lacksKeys(for: recipe) else { return }
        // Where no thread can be had, they are made when the client asks.
        let more = try? KeysAhead { [material] isWanted in material.makeKeys(for: recipe, while: isWanted) }
        await more?.wait()
    }
}
