import Facts
import Policy

/// The genuine chain passed the certificate stage, by what the client said of the signature.
///
/// Corroboration, never a reason (docs/verdicts.md, "The wrong-key probe").
enum SignatureStage {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        let review = host.review
        let trusted = Set(review.trustedSightings.compactMap(\.answer.alert?.code))
        let signature = review.sightings.filter { sighting in
            guard sighting.reading.probe == .genuineChain, sighting.outcome == .alert,
                let code = sighting.answer.alert?.code
            else { return false }
            return sighting.answer.complainsOfSignature && !trusted.contains(code)
        }
        guard let alert = signature.first?.answer.alert else { return [] }
        return [
            Finding(
                id: "signature-stage", severity: .note,
                // Where it finished the handshake under the forged chain, that chain had passed as well.
                fact: .proof(
                    .signatureStage(
                        alert: AlertCode(rawValue: alert.code),
                        hasFinished: review.trustedSightings.contains(where: \.answer.hasFinished))),
                evidence: signature.map(\.line))
        ]
    }
}
