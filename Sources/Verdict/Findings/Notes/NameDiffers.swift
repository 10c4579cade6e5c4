import Facts

/// Connections that asked the proxy for another name than their SNI.
enum NameDiffers {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        let differing = host.review.sightings.filter { sighting in
            // One that carried a request for this host beside its own names whom it was opened to.
            guard sighting.isAstray, sighting.hasSNI, let target = sighting.observation.target?.host,
                sighting.carrier == nil
            else { return false }
            return target != sighting.host && !target.isIP
        }
        guard !differing.isEmpty else { return [] }
        return [Finding(id: "sni-differs", severity: .note, fact: .app(.nameDiffers), evidence: differing.map(\.line))]
    }
}
