import Facts

/// The pin is there, and looked at when the request has left.
enum PinCheckedLate {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        guard verdict.verdict == .notPinned, verdict.subtype == .leak else { return [] }
        return [
            Finding(
                id: "pin-checked-late", severity: .error, fact: .app(.pinCheckedLate),
                evidence: host.review.witnesses.map(\.line))
        ]
    }
}
