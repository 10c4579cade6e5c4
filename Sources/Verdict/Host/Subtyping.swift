import Facts
import Policy

/// Which failure a host's witnesses speak of.
struct Subtyping {
    let file: CaseFile
    let review: Review

    /// The worst that data under these attacks says; an attack that this version does not know says "unpinned".
    var subtype: Subtype {
        // Where a request was sent, what was only greeted says little.
        let requests = review.witnesses.filter { !$0.observation.prefaceOnly }
        guard !requests.isEmpty else { return .leak }
        let weaknesses = Set(requests.map(weakness))
        if weaknesses.contains(.brokenTLS) { return .brokenTLS }
        if requests.contains(where: isTakenForGenuine) { return .bypass }
        if weaknesses.contains(.unpinned) {
            if isRefusedElsewhere(requests) { return .bypass }
            return LateCheck(file: file, review: review).witnesses.isEmpty ? .plain : .leak
        }
        return weaknesses.contains(.bypass) ? .bypass : .leak
    }

    private func weakness(_ sighting: Sighting) -> Weakness {
        AttackCatalogue.attack(sighting.attack)?.weakness(under: sighting.variant) ?? .unpinned
    }

    /// It took the untrusted copy of the genuine certificate for it, and the like of which under `untrusted-ca` it did
    /// not: its pin stands in the place of the issuer's check.
    private func isTakenForGenuine(_ sighting: Sighting) -> Bool {
        AttackCatalogue.form(sighting.attack, sighting.variant)?.isTakenForGenuine ?? false
    }

    /// Only over another version or protocol, or behind other connections: the plain form was refused, so there is a pin, and a way around it.
    private func isRefusedElsewhere(_ requests: [Sighting]) -> Bool {
        requests.allSatisfy {
            weakness($0) != .unpinned
                || $0.attack == .trustedCA && ($0.variant != nil || file.trial($0.trial)?.sparedFirst ?? 0 > 0)
        } && !review.coldStarts.isEmpty
    }
}
