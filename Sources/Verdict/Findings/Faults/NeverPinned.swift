import Facts
import Policy

/// Declared to refuse, and pinned by nobody: whoever met `trusted-ca` took it, each time.
enum NeverPinned {
    static func find(_ file: CaseFile, _ review: Review, _ rule: HostRule) -> [Finding] {
        let met = review.trustedSightings
        let accepted = met.filter(\.isTrust)
        guard !accepted.isEmpty, !met.contains(where: \.isRefusal) else { return [] }
        // There is a pin, and it comes too late.
        guard LateCheck(file: file, review: review).witnesses.isEmpty else { return [] }
        let declared =
            rule.pattern.scope == .exact ? "it is declared to refuse" : "\(rule.pattern) declares that it refuses"
        return [
            Finding(
                id: "never-pinned", severity: .warning,
                text: "\(declared), and trusted-ca was never once refused: no pin held here",
                evidence: accepted.map(\.line))
        ]
    }
}
