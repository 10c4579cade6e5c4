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

    func apply(_ plan: Plan) async throws { try await server.apply(plan, trust: trust) }
    func settle() async { await server.settle() }
    func endConnections() async { await server.endConnections() }
    func stop() async { await server.stop() }
}

extension ProxyServer {
    /// Starts one, with errors that name the address.
    static func started(_ configuration: ProxyConfiguration) throws -> ProxyServer {
        do {
            return try ProxyServer(configuration)
        } catch let error as ListenError {
            let reason = error.reason
            throw GateError.cannotListen(
                error.address.endpoint, client: error.client, reason: reason.reason,
                cause: reason.isAddressInUse ? .inUse : reason.isPermissionDenied ? .forbidden : .other)
        }
    }

    /// As clients on this machine reach it.
    var url: String { "http://\(endpoint)" }

    /// Ports of single clients that others on the network can reach.
    var exposedListens: [Endpoint] {
        clientAddresses.values.map(\.endpoint).filter { ListenAddress($0)?.isExposed ?? true }
            .sorted { $0.description < $1.description }
    }
}

extension TrustStore {
    /// The system's roots, and the profile's.
    static func forOrigins(of profile: Profile) throws -> TrustStore {
        var roots: [Certificate] = []
        for path in profile.upstream.roots { roots += try Certificate.readAll(path: path) }
        return try TrustStore(systemRoots: true, roots: roots)
    }
}
