import Facts

/// A question in the clear whether there is a network, which is no fallback.
enum ReachabilityProbe {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        let probes = host.review.sightings.filter(\.observation.isProbe)
        guard !probes.isEmpty else { return [] }
        return [
            Finding(
                id: "reachability-probe", severity: .note, fact: .app(.reachabilityProbe), evidence: probes.map(\.line))
        ]
    }
}
