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
final class AttackKeys: Sendable {
    private let material: ForgeMaterial
    private let jobs: Locked<[KeysAhead]>

    /// Begins at once, while self-test and first passthrough are on their way.
    init(_ material: ForgeMaterial) throws(SystemError) {
        self.material = material
        jobs = Locked([try KeysAhead { isWanted in material.makeKeysAhead(while: isWanted) }])
    }

    /// Begins with those for chains like the hosts' own.
    ///
    /// - Parameter genuine: nil where not all of them are known.
    func expect(_ genuine: GenuineKeys?) {
        // Where no thread can be had, they are made when the client asks.
        let job = try? KeysAhead { [material] isWanted in material.makeKeys(like: genuine, while: isWanted) }
        if let job { jobs.withLock { $0.append(job) } }
    }

    /// What is being made is still finished.
    func cancel() { for job in jobs.withLock({ $0 }) { job.cancel() } }

    func beReady(for recipe: Recipe) async {
        for job in jobs.withLock({ $0 }) { await job.wait() }
        guard material.lacksKeys(for: recipe) else { return }
        // Where no thread can be had, they are made when the client asks.
        let more = try? KeysAhead { [material] isWanted in material.makeKeys(for: recipe, while: isWanted) }
        await more?.wait()
    }
}
