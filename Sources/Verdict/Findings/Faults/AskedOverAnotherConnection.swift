import Facts
import Policy

/// Requests for a host that has to refuse, over a connection to another one.
///
/// The certificate was checked for the other host, and so were its pins, if it has any: those of the host that is asked
/// never came into it (RFC 9113 §9.1.1 lets a client reuse a connection whose certificate names the host as well).
enum AskedOverAnotherConnection {
    static func find(_ host: HostCase) -> [Finding] {
        let carried = host.review.witnesses.filter { $0.carrier != nil }
        guard !carried.isEmpty else { return [] }
        return [
            Finding(
                id: "asked-over-another-connection", severity: .error,
                fact: .leak(.askedOver(Set(carried.compactMap(\.carrier)).sorted(), for: host.host)),
                evidence: carried.map(\.line))
        ]
    }
}

extension Sighting {
    /// The other host that the connection was opened to; nil where it is this one's own, by its SNI or by who was asked for
    /// at the proxy.
    var carrier: HostName? {
        guard observation.target?.host != host else { return nil }
        return observation.host.flatMap { $0 == host ? nil : $0 }
    }
}
