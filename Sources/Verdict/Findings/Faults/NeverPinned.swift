import Facts
import Policy

/// Declared to refuse, and pinned by nobody: whoever met `trusted-ca` took it, each time.
enum NeverPinned {
    static func find(_ host: HostCase) -> [Finding] {
        let review = host.review
        let met = review.trustedSightings
        let accepted = met.filter(\.isTrust)
        guard !accepted.isEmpty, !met.contains(where: \.isRefusal) else { return [] }
        // There is a pin, and it comes too late.
        guard LateCheck(file: host.file, review: review).witnesses.isEmpty else { return [] }
        let pattern = host.rule.pattern
        return [
            Finding(
                id: "never-pinned", severity: .warning,
                fact: .app(.neverRefused(pattern: pattern.scope == .exact ? nil : pattern)),
                evidence: accepted.map(\.line))
        ]
    }
}
