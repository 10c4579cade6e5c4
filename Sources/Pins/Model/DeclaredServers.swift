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

    /// Of several files; of one host, or one proxy, the first that says it.
    package init(of files: [PinFile]) {
        self.init()
        for servers in files.compactMap(\.servers) {
            places.merge(servers.places) { first, _ in first }
            roots += servers.roots.filter { !roots.contains($0) }
            proxy = proxy ?? servers.proxy
        }
    }
}
