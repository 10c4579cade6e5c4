import Facts

/// The pin is there, and looked at when the request has left.
enum PinCheckedLate {
    static func find(_ review: Review, _ verdict: HostVerdict) -> [Finding] {
        guard verdict.verdict == .notPinned, verdict.subtype == .leak else { return [] }
        return [
            Finding(
                id: "pin-checked-late", severity: .error,
                text: "the pin is checked too late: data left before the connection was refused",
                evidence: review.witnesses.map(\.line))
        ]
    }
}
