import Facts
import Policy

/// A certificate for the lent, pinned key was refused: the strongest control failed.
///
/// Where the profile lists that very key among the pins, the app does not do what the profile says of it: what it refuses
/// may be something else than a key, so nothing is proven of the pins until that is cleared up.
enum LentKeyRefused {
    static func find(_ file: CaseFile, _ rule: HostRule, _ controls: TrustControls) -> [Finding] {
        let refused = controls.lentKeyRefusals
        guard !refused.isEmpty else { return [] }
        // A stack that does none of the host's work may only have opened a spare connection.
        let isByWorking = refused.contains { controls.review.genuineStacks.contains($0.stack) }
        let lent = Set(file.runs.compactMap { $0.header?.lentKeys[controls.review.host.text] })
        guard !isByWorking || lent.isDisjoint(with: rule.pins.map(\.base64)) else {
            return [
                Finding(
                    id: "lent-key-refused", severity: .error,
                    text:
                        "the lent key was refused under the trusted CA, and the profile lists it among the pins: either "
                        + "the app does not trust the CA, or its pins are not those of the profile, or it refuses for "
                        + "another reason than its pins",
                    evidence: refused.map(\.line))
            ]
        }
        return [
            Finding(
                id: "lent-key-refused", severity: .warning,
                text:
                    "the lent key was refused under the trusted CA: either the app does not trust the CA, or this key is "
                    + "not among its pins, or it pins a CA or a whole certificate",
                evidence: refused.map(\.line))
        ]
    }
}
