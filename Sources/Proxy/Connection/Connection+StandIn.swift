import Facts
import TLS

/// What is shown where the origin cannot be had (`ConnectionMachine+StandIn`).
extension Connection {
    /// Of an address: whether somebody may live there whose name the ClientHello is still to tell.
    func isKnown(_ host: HostName) -> Bool {
        host.isIP ? worker.homes.mayRefuse(at: host, machine.plan.profile) : worker.shown.chain(of: host) != nil
    }

    func standIn(for host: HostName, _ fault: ConnectionMachine.Fault) {
        dropOrigin()
        originTLS = nil
        early = []
        shown = worker.shown.chain(of: host)
        notes.did(.intercepted)
        notes.lacksOrigin(fault.reason)
        handle(.originReady)
    }

    /// Whoever reads no answer may speak whatever the client does: as its host has been seen to, where it offers that.
    func agreed(with shown: ShownChains.Shown) -> (version: TLSVersion, alpn: String?) {
        let offered = intake.hello?.alpn ?? []
        let usual = [shown.negotiated.alpn, "h2", "http/1.1"].compactMap(\.self).first(where: offered.contains)
        let newest = min(shown.negotiated.version, intake.hello?.maxVersion ?? .tls12)
        return (newest, offered.isEmpty ? nil : usual ?? offered.first)
    }
}

extension ConnectionMachine.Fault {
    fileprivate var reason: String {
        switch self {
        case .unreachable(let reason, _): "origin unreachable: \(reason)"
        case .originRefused(let reason, _): "origin refused: \(reason)"
        default: "no origin"
        }
    }
}
