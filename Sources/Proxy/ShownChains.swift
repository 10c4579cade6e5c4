import Facts
import Loop
import TLS

/// What attacked hosts have shown in this run, and what was agreed with them.
///
/// For connections on which their servers cannot be had. Shared by all loops.
final class ShownChains: Sendable {
    struct Shown: Sendable {
        let chain: GenuineChain
        let negotiated: Negotiated
        /// When it was shown last.
        let trial: Int
    }

    /// Hosts that are remembered: a wildcard may stand for many. Those beyond it are not stood in for.
    static let limit = 4096

    private let hosts = Locked<[HostName: Shown]>([:])

    /// The chain was verified for the host. The latest counts: servers change theirs.
    func note(_ host: HostName, _ chain: GenuineChain, _ negotiated: Negotiated, in trial: Int) {
        hosts.withLock { hosts in
            guard hosts[host] != nil || hosts.count < Self.limit else { return }
            hosts[host] = Shown(chain: chain, negotiated: negotiated, trial: trial)
        }
    }

    func chain(of host: HostName) -> Shown? { hosts.withLock { $0[host] } }
}
