import Facts
import Policy

/// The pin is there, and looked at when the request has left, or not where TLS fails.
enum PinCheckedLate {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        guard verdict.verdict == .notPinned, verdict.subtype == .leak else { return [] }
        let inTheClear = host.review.witnesses.filter { $0.observation.attack == AttackCatalogue.cleartextFallback }
        let late = host.review.witnesses.filter { $0.observation.attack != AttackCatalogue.cleartextFallback }
        return finding("leak-after-refusal", .leak(.cleartextWithoutTLS), inTheClear)
            + finding("pin-checked-late", .app(.pinCheckedLate), late)
    }

    private static func finding(_ id: String, _ fact: FindingFact, _ witnesses: [Sighting]) -> [Finding] {
        witnesses.isEmpty ? [] : [Finding(id: id, severity: .error, fact: fact, evidence: witnesses.map(\.line))]
    }
}
