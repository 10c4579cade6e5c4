import Facts

/// Where other devices of the local network reach the proxy, the likeliest first.
package struct DeviceAddresses: Hashable, Sendable {
    package let endpoints: [Endpoint]

    /// Machines with many networks have more; which one is right shows in the first few.
    private static let limit = 4

    /// - Parameters:
    ///   - listening: as it was bound, an unspecified address included; none from loopback is reached by others.
    ///   - machine: addresses of this machine.
    package init(listening: Endpoint, machine: Set<IPAddress>) {
        guard let address = listening.host.address, !address.isLoopback else {
            endpoints = []
            return
        }
        guard address.isUnspecified else {
            endpoints = [listening]
            return
        }
        let reached = machine.filter { !$0.isLoopback && !$0.isLinkLocal && !$0.isUnspecified }
            .filter { !address.isIPv4 || $0.isIPv4 }
            .sorted { (Self.rank($0), "\($0)") < (Self.rank($1), "\($1)") }
        endpoints = reached.prefix(Self.limit).map { Endpoint(HostName($0), listening.port) }
    }

    /// Phones are given IPv4 addresses everywhere; those of 172.16.0.0/12 are mostly bridges of containers on this machine.
    private static func rank(_ address: IPAddress) -> Int {
        guard address.isIPv4 else { return 2 }
        return address.bytes[0] == 172 && (16...31).contains(address.bytes[1]) ? 1 : 0
    }
}
