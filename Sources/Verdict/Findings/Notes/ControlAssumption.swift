import Facts

/// What the control of a proof takes for granted.
enum ControlAssumption {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        let assumption: FindingFact.Assumption
        switch verdict.strength {
        case .s2a: assumption = .sameAnchors
        case .s2c: assumption = .noOtherPolicy
        case .privateAnchor: assumption = .ownAnchorsAlone
        case .s2b, .s3, nil: return []
        }
        return [Finding(id: "control-assumption", severity: .note, fact: .proof(.assumption(assumption)))]
    }
}
