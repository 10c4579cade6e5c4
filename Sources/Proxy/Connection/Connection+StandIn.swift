import Facts
import TLS

/// What is shown where the origin cannot be had (`ConnectionMachine+StandIn`).
extension Connection {
    func isKnown(_ host: HostName, in scope: ConnectionMachine.Scope) -> Bool {
        guard let shown = worker.shown.chain(of: host), scope == .run || shown.trial == machine.plan.trial else {
            return false
        }
        // It was found by its address alone, and there is somebody else.
        let isNamed = intake.request?.target?.host.isIP == false || intake.hello?.sni?.isIP == false
        return isNamed || originTLS?.originRefusal == nil
    }

    func standIn(for host: HostName, _ fault: ConnectionMachine.Fault) {
        dropOrigin()
        originTLS = nil
        early = []
        shown = worker.shown.chain(of: host)
        notes.did(.intercepted)
        notes.standsIn(for: fault.reason)
        handle(.originReady)
    }

    /// Whoever reads no answer may speak whatever the client does: as its host has been seen to, where it offers that.
    func agreed(with shown: ShownChains.Shown) -> (version: TLSVersion, alpn: String?) {
        let offered = intake.hello?.alpn ?? []
        let usual = [shown.negotiated.alpn, "h2", "http/1.1"].compactMap(\.self).first(where: offered.contains)
        let versions = intake.hello?.versions ?? []
        let version = versions.contains(shown.negotiated.version) ? shown.negotiated.version : versions.max() ?? .tls12
        return (version, offered.isEmpty ? nil : usual ?? offered.first)
    }
}

extension ConnectionMachine.Fault {
    var reason: String {
        switch self {
        case .unreachable(let reason, _), .originRefused(let reason, _): reason
        default: "no origin"
        }
    }
}
