import Facts
import Loop
import Policy

/// Where hosts are known to live, for connections that name an address and no host.
///
/// By the profile's `resolve`, and by every address that was found for a name when the proxy called it earlier, in whatever
/// trial: an app may go to any of them. Nobody is asked for more. Shared by all loops.
final class KnownHomes: Sendable {
    private let called = Locked<[Endpoint: Set<HostName>]>([:])

    /// Addresses that are remembered: a run's hosts have some each. Those beyond it are nobody's.
    static let limit = 4096

    /// The name was asked for, and this is one of the addresses that were found for it.
    func note(_ host: HostName, at address: Endpoint) {
        guard !host.isIP, address.host.isIP else { return }
        called.withLock { called in
            guard called[address] != nil || called.count < Self.limit else { return }
            called[address, default: []].insert(host)
        }
    }

    /// The host that has to refuse and lives there; nil where others live there too, for it may be one of them.
    func host(at address: Endpoint, _ profile: Profile) -> HostName? {
        guard address.host.isIP else { return nil }
        let names = profile.hosts(at: address).union(called.withLock { $0[address] ?? [] })
        return names.allSatisfy { profile.role(of: $0) == .refuse } ? names.min() : nil
    }
}
