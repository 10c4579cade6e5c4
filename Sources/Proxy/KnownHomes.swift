import Facts
import Loop
import Policy

/// Where hosts are known to live, for connections that name an address and no host.
///
/// By the profile's `resolve`, and by every address that was found for a name when the proxy called it earlier, in whatever
/// trial: an app may go to any of them. Nobody is asked for more. Shared by all loops.
final class KnownHomes: Sendable {
    private let called = Locked<[Endpoint: Set<HostName>]>([:])
    /// Where somebody answered whose certificate is good for none of those who live at the address.
    /// With the neighbours that were asked for: another one may have been found since.
    private let strangers = Locked<[Endpoint: Neighbours]>([:])

    /// Who lives at an address, at whatever port.
    struct Neighbours: Hashable {
        /// They have to refuse; sorted.
        var refusing: [HostName]
        var others: [HostName]
    }

    /// Addresses that are remembered: a run's hosts have some each. Those beyond it are nobody's.
    static let limit = 4096
    /// Names of one address: a server of many has some hundred. What can be called has no end where every name of a domain leads
    /// to one address.
    static let nameLimit = 1024

    /// The name was asked for, and this is one of the addresses that were found for it.
    func note(_ host: HostName, at address: Endpoint) {
        guard !host.isIP, address.host.isIP else { return }
        called.withLock { called in
            guard called[address] != nil || called.count < Self.limit else { return }
            guard called[address, default: []].count < Self.nameLimit else { return }
            called[address, default: []].insert(host)
        }
    }

    /// Nobody of its neighbours lives there.
    func noteStranger(at address: Endpoint, among neighbours: Neighbours) {
        strangers.withLock { if $0[address] != nil || $0.count < Self.limit { $0[address] = neighbours } }
    }

    /// Who lives at the same address and may live at this port as well; nil where nobody of them has to refuse, or where it
    /// is known who lives there.
    func neighbours(of address: Endpoint, _ profile: Profile) -> Neighbours? {
        guard address.host.isIP, profile.hosts(at: address).isEmpty,
            called.withLock({ $0[address]?.isEmpty ?? true })
        else { return nil }
        var names = Set(profile.resolve.filter { $0.value.host == address.host }.keys)
        called.withLock { called in
            for (home, hosts) in called where home.host == address.host { names.formUnion(hosts) }
        }
        let refusing = names.filter { profile.role(of: $0) == .refuse }
        guard !refusing.isEmpty else { return nil }
        let neighbours = Neighbours(refusing: refusing.sorted(), others: names.subtracting(refusing).sorted())
        return strangers.withLock { $0[address] } == neighbours ? nil : neighbours
    }

    /// The host that has to refuse and lives there; nil where others live there too, for it may be one of them.
    func host(at address: Endpoint, _ profile: Profile) -> HostName? {
        guard address.host.isIP else { return nil }
        let names = profile.hosts(at: address).union(called.withLock { $0[address] ?? [] })
        return names.allSatisfy { profile.role(of: $0) == .refuse } ? names.min() : nil
    }
}
