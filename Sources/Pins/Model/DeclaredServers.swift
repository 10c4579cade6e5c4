import Facts

/// How a profile says that servers are reached.
///
/// Who asks them what they show goes the same way as the gate.
package struct DeclaredServers: Hashable, Sendable {
    /// Where a host is called instead.
    package var places: [HostName: Endpoint]
    /// Paths of files with roots of servers of one's own.
    package var roots: [String]
    /// An HTTP proxy on the way.
    package var proxy: Endpoint?

    package init(places: [HostName: Endpoint] = [:], roots: [String] = [], proxy: Endpoint? = nil) {
        self.places = places
        self.roots = roots
        self.proxy = proxy
    }

    func way(to host: HostName) -> ServerWay { ServerWay(place: places[host], roots: roots, proxy: proxy) }
}

/// How the server of one host is asked.
package struct ServerWay: Hashable, Sendable {
    /// Where it is called instead.
    package var place: Endpoint?
    package var roots: [String] = []
    package var proxy: Endpoint?

    package init(place: Endpoint? = nil, roots: [String] = [], proxy: Endpoint? = nil) {
        self.place = place
        self.roots = roots
        self.proxy = proxy
    }
}

/// How the servers of several files are asked.
///
/// A profile's word holds for what no other file pins otherwise: `resolve` may name a test stage, and the pins of an app that
/// ships are held against the server that it calls.
package struct ServerWays: Hashable, Sendable {
    /// Hosts that are not asked as anybody would.
    package private(set) var ways: [HostName: ServerWay] = [:]
    /// Where it makes a difference, a line for people each.
    package private(set) var notes: [String] = []

    /// - Parameters:
    ///   - hosts: who is asked.
    ///   - typed: places that come before those of files.
    package init(to hosts: [HostName], in files: [PinFile], typed: [HostName: Endpoint] = [:]) {
        var told: [(text: String, hosts: [String])] = []
        func tell(_ host: HostName, _ text: String) {
            guard let index = told.firstIndex(where: { $0.text == text }) else {
                return told.append((text, [host.text]))
            }
            told[index].hosts.append(host.text)
        }
        for host in hosts {
            let pinning = files.filter { $0.pins(host) }
            let said = pinning.map { $0.servers?.way(to: host) ?? ServerWay() }
            let isAgreed = Set(said).count == 1
            var way = isAgreed ? said[0] : ServerWay()
            let place = typed[host]
            if isAgreed {
                let parts = [place == nil ? way.place.map { "at \($0)" } : nil, way.proxy.map { "through \($0)" }]
                let words = parts.compactMap(\.self).joined(separator: " ")
                if !words.isEmpty {
                    tell(host, "asked \(words), as \(Self.names(pinning)) \(pinning.count == 1 ? "says" : "say")")
                }
            } else if place == nil {
                let saying = zip(pinning, said).filter { $0.1 != ServerWay() }.map(\.0)
                let others = zip(pinning, said).filter { $0.1 == ServerWay() }.map(\.0)
                tell(
                    host,
                    "asked where everybody finds it, and not as \(Self.names(saying)) \(saying.count == 1 ? "says" : "say")"
                        + (others.isEmpty
                            ? "" : ", since \(Self.names(others)) \(others.count == 1 ? "pins" : "pin") it too")
                        + " (--resolve, --roots and --through say how)")
            }
            way.place = place ?? way.place
            if way != ServerWay() { ways[host] = way }
        }
        notes = told.map { "\(English.some($0.hosts)) \($0.hosts.count == 1 ? "is" : "are") \($0.text)" }
    }

    private static func names(_ files: [PinFile]) -> String { English.list(files.map { Printable.excerpt($0.path) }) }
}

extension PinFile {
    /// Hosts that it pins by name; what lies below a wildcard cannot be asked for.
    package var askedHosts: [HostName] {
        hosts.filter { $0.isPinned && $0.reach.contains(.itself) }.compactMap { $0.domain.flatMap { HostName($0) } }
    }

    func pins(_ host: HostName) -> Bool { hosts.contains { $0.isPinned && $0.covers(host.text) } }
}
