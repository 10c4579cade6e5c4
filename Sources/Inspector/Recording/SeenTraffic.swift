import Facts
import Flows

/// What has come to the proxy so far, as far as it says why nothing could be intercepted.
struct SeenTraffic: Hashable, Sendable {
    /// Connections that ended alike.
    struct Group: Hashable, Sendable {
        private(set) var count = 0
        /// In the order of their coming.
        private(set) var hosts: [String] = []

        /// Of hosts that are remembered: three are shown, and the others are counted.
        static let limit = 50

        mutating func add(_ host: String?) {
            count += 1
            guard let host, hosts.count < Self.limit, !hosts.contains(host) else { return }
            hosts.append(host)
        }
    }

    /// A TLS connection was opened to what the app said, and it said something.
    private(set) var hasIntercepted = false
    /// Connections that are over, of any kind.
    private(set) var connections = 0
    /// Those that named no host and said nothing that asks a proxy for anything.
    private(set) var probes = 0
    /// In the clear.
    private(set) var plain = Group()
    /// Neither TLS nor HTTP.
    private(set) var raw = Group()
    private(set) var tunnels = Group()
    private(set) var failures: [FlowFailure.ID: Group] = [:]
    /// Flows that have been counted.
    private var noted = FlowNumbers()
    /// Connections of which nobody makes flows.
    private var unrecorded: Int64 = 0

    /// A connection that is over.
    mutating func note(_ connection: Observation) {
        connections += 1
        if Self.isProbe(connection) { probes += 1 }
    }

    /// The same, where nobody makes flows of connections.
    mutating func noteUnrecorded(_ connection: Observation) {
        note(connection)
        unrecorded += 1
        let id = unrecorded
        var flow = Flow(connection, id: { id }) ?? Flow(id: id, kind: .http, state: .complete, started: connection.at)
        if flow.kind == .http {
            guard connection.action != .none else { return }
            flow.scheme = connection.action == .intercepted ? "https" : "http"
            flow.server.host = connection.host?.text
        }
        note(flow)
    }

    /// A flow, as often as it changes; those that end early come before others that began before them.
    mutating func note(_ flow: Flow) {
        guard noted.insert(flow.id) else { return }
        switch flow.kind {
        case .failure:
            guard let failure = flow.failure, flow.server.host != nil || flow.tls != nil else { return }
            failures[failure.id, default: Group()].add(flow.server.host)
        case .tunnel: tunnels.add(flow.server.host)
        case .http, .websocket, .raw:
            if flow.scheme == "https" {
                hasIntercepted = true
            } else if flow.kind == .raw, let failure = flow.failure, failure.id == .originClosed {
                failures[failure.id, default: Group()].add(flow.server.host)
            } else if flow.kind == .raw {
                raw.add(flow.server.host)
            } else if flow.failure?.id == .proxyForbidden {
                // A request to the proxy itself, as health checks and browsers send them.
                probes += flow.server.port == 80 && flow.method != nil ? 1 : 0
            } else {
                plain.add(flow.server.host)
            }
        }
    }

    /// A health check of the port, or a browser that opened the proxy's own address.
    private static func isProbe(_ connection: Observation) -> Bool {
        connection.action == .none && connection.target == nil && connection.hello == nil && connection.host == nil
    }
}
