import Facts

/// What the differential shows, and why that is no proof.
enum Differentials {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        guard verdict.missing.contains(.trustControl) else { return [] }
        let controls = host.controls
        let seen = Set(
            host.review.trusted.flatMap { meeting in
                meeting.refusals.keys.map { controls.differential(of: $0, run: meeting.trial.run) }
            })
        let refusing = controls.refusingControls
        let isWorthRepeating = host.file.profile.onlyPins && refusing.isEmpty
        if seen.contains(.holds) || seen.contains(.notRepeated) && !isWorthRepeating {
            return [
                Finding(
                    id: "refusal-unexplained", severity: .note, fact: .proof(.refusalUnexplained(refusing: refusing)))
            ]
        }
        guard seen.contains(.notRepeated) else { return [] }
        return [Finding(id: "differential-not-repeated", severity: .note, fact: .proof(.differentialNotRepeated))]
    }
}
