import Facts

/// What the control of a proof takes for granted.
enum ControlAssumption {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        switch verdict.strength {
        case .s2a, .s2c, .privateAnchor:
            guard let strength = verdict.strength else { return [] }
            return [Finding(id: "control-assumption", severity: .note, fact: .proof(.assumption(of: strength)))]
        case .s2b, .s3, nil: return []
        }
    }
}
