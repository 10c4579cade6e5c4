import Facts
import Policy

/// What else than a pin could explain a proof's refusals, and what a control excludes.
///
/// A refusal proves a pin only if the client had nothing else to dislike. The forged chain is as near to the genuine one
/// as the CA allows; in what it could not be, the evidence says (`unlike`).
enum OtherExplanations {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        guard verdict.verdict == .provenPinned, let strength = verdict.strength else { return [] }
        let refused = host.review.coldStarts.flatMap(\.sightings).filter(\.isRefusal)
        let rest = FindingFact.Explanations(
            strength: strength, takers: host.takers,
            unlike: Set(refused.flatMap(\.observation.unlike)).sorted(),
            leavesNameOpen: host.pinsAuthority && strength != .s3 && !host.review.refusesOtherNames,
            deniesCA: (strength == .s2a || strength == .s2b) && host.review.deniesCA)
        return [
            Finding(
                id: "other-explanations", severity: .note, fact: .proof(.otherExplanations(rest)),
                evidence: refused.map(\.line))
        ]
    }
}
