import Facts
import Policy

/// A certificate for the lent, pinned key was refused: the strongest control failed.
///
/// Where the profile lists that very key among the pins, the app does not do what the profile says of it: what it refuses
/// may be something else than a key, so nothing is proven of the pins until that is cleared up.
enum LentKeyRefused {
    static func find(_ host: HostCase) -> [Finding] {
        let (controls, review) = (host.controls, host.review)
        let refused = controls.lentKeyRefusals
        guard !refused.isEmpty else { return [] }
        // A stack that does none of the host's work may only have opened a spare connection.
        let isByWorking = refused.contains { review.genuineStacks.contains($0.stack) }
        let lent = Set(host.file.runs.compactMap { $0.header?.lentKeys[host.host.text] })
        let isListed = isByWorking && !lent.isDisjoint(with: host.rule.pins.map(\.base64))
        return [
            Finding(
                id: "lent-key-refused", severity: isListed ? .error : .warning,
                fact: .leak(.lentKeyRefused(isListed: isListed)), evidence: refused.map(\.line))
        ]
    }
}
