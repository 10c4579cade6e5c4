import Facts
import Policy

/// The pins of this host are in the answers of one that is not pinned.
///
/// Whoever stands between the app and that host writes the pins of this one: his own key's. No forged chain shows it, as
/// what answers for the unpinned host here is the genuine server. A set of pins with a signature is sound, and looks the same, so
/// there is a waiver for it.
enum PinsFromUnpinnedHost {
    static func find(_ host: HostCase) -> [Finding] {
        let served = host.review.sightings.filter { !$0.observation.pinsServedBy.isEmpty }
        guard !served.isEmpty else { return [] }
        return [
            Finding(
                id: "pins-from-unpinned-host", severity: .error,
                fact: .leak(.pinsServedBy(Set(served.flatMap(\.observation.pinsServedBy)).sorted())),
                evidence: served.map(\.line))
        ]
    }
}
