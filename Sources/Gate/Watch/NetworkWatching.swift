import Capture
import Facts
import Proxy

/// Looks at the network beside the proxy while trials run.
package protocol NetworkWatching: Sendable {
    /// Forgets what was seen until now; returns once the addresses of the profile's hosts are known as far as they
    /// can be.
    func begin() async

    /// The flows since the last call that did not come through the proxy, and how the watch went.
    func collect(trial: Int) async -> [EvidenceRecord]
}

extension NetworkWatch: NetworkWatching {
    /// For the proxy to call with its own connections, from any thread.
    var noting: @Sendable (ProxyEnd) -> Void {
        { [weak self] end in
            switch end {
            case .accepted(let local): self?.accepted(at: local)
            case .dialed(let host, let from, let to): self?.dialed(host, from: from, to: to)
            }
        }
    }
}
