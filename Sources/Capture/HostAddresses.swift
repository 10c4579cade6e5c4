import Facts
import Policy

/// Which hosts live at which address, as far as a run learns of it.
struct HostAddresses: Sendable {
    private var byEndpoint: [Endpoint: Set<HostName>] = [:]
    private var byAddress: [HostName: Set<HostName>] = [:]
    /// There were more than could be kept.
    private(set) var isFull = false

    /// The web's ports and their usual substitutes: where a host is looked for of which only the address is known.
    static let ports: Set<UInt16> = [80, 443, 8080, 8443]
    /// The hosts of a profile, a few dozen addresses each.
    private static let limit = 20_000

    /// At this port alone: another one of the same machine may be another host's.
    mutating func add(_ host: HostName, at endpoint: Endpoint) {
        guard hasRoom else { return }
        byEndpoint[endpoint, default: []].insert(host)
    }

    /// At any port of the web.
    mutating func add(_ host: HostName, at address: IPAddress) {
        guard hasRoom else { return }
        byAddress[HostName(address), default: []].insert(host)
    }

    func names(at endpoint: Endpoint, _ transport: NetworkFlow.Transport) -> [HostName] {
        var names = byEndpoint[endpoint] ?? []
        // QUIC may be announced for any port (Alt-Svc), and is recognised at any.
        if transport == .quic || Self.ports.contains(endpoint.port) {
            names.formUnion(byAddress[endpoint.host] ?? [])
        }
        return names.sorted()
    }

    private var hasRoom: Bool {
        mutating get {
            isFull = isFull || byEndpoint.count + byAddress.count >= Self.limit
            return !isFull
        }
    }
}

extension Profile {
    /// Where datagrams go that are QUIC's by their port: 443, and what `resolve` puts in its place.
    var udpPorts: Set<UInt16> { Set(resolve.values.compactMap(\.port) + [443]) }

    /// Names whose addresses have to be looked up, and whose they are then.
    var lookups: [HostName: [(host: HostName, port: UInt16?)]] {
        var lookups: [HostName: [(host: HostName, port: UInt16?)]] = [:]
        let named = rules.filter { $0.pattern.scope == .exact && $0.expect != .tunnel }.map(\.pattern.base)
        for host in named {
            let place = resolve[host]
            lookups[place?.host ?? host, default: []].append((host, place?.port))
        }
        return lookups
    }
}
