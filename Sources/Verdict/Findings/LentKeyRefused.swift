import Facts

/// A certificate for the lent, pinned key was refused: the strongest control failed.
enum LentKeyRefused {
    static func find(_ controls: TrustControls) -> [Finding] {
        let refused = controls.lentKeyRefusals
        guard !refused.isEmpty else { return [] }
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
