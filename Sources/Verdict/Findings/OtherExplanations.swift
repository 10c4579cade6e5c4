import Facts
import Policy

/// What else than a pin could explain a proof's refusals, and what a control excludes.
///
/// A refusal proves a pin only if the client had nothing else to dislike. The forged chain is as near to the genuine one
/// as the CA allows; in what it could not be, the evidence says (`unlike`).
enum OtherExplanations {
    static func find(_ review: Review, _ controls: TrustControls, _ verdict: HostVerdict) -> [Finding] {
        guard verdict.verdict == .provenPinned, let strength = verdict.strength else { return [] }
        let refused = review.coldStarts.flatMap(\.sightings).filter(\.isRefusal)
        let differences = Set(refused.flatMap(\.observation.unlike)).sorted().map(word)
        let unlike =
            differences.isEmpty
            ? "" : " (ours differs from the genuine one in \(English.list(differences)), beside keys and issuer)"
        let text: String
        switch strength {
        case .s2a:
            text =
                "a rule for all certificates, such as Certificate Transparency, is excluded: "
                + "\(takers(review, controls)) took one of the same CA on the same stack; a rule for this host alone is not"
                + unlike
        case .s2b:
            text =
                "a rule that the other build has as well is excluded: it took a certificate of the same CA for this host; "
                + "a rule of this build alone is not" + unlike
        case .s2c:
            text =
                "that the CA is not trusted is excluded: in the handshake it was taken; a rule that is applied after "
                + "that, such as Certificate Transparency or revocation, is excluded by the profile's word alone"
                + unlike
        case .s3:
            text =
                "all but the key is excluded: a certificate of the same CA for this host with the lent key was taken"
        case .privateAnchor:
            text =
                "that the app trusts its own anchors alone is all there is to see, and what the profile says; a pin of a "
                + "key below them is not shown apart from that" + unlike
        }
        return [
            Finding(
                id: "other-explanations", severity: .note, text: "beside a pin: " + text,
                evidence: refused.map(\.line))
        ]
    }

    private static func takers(_ review: Review, _ controls: TrustControls) -> String {
        let hosts = review.coldStarts.flatMap { start in
            review.refusals(in: start).flatMap { controls.controlHosts(of: $0, in: start) }
        }
        return English.some(Set(hosts).sorted().map(\.text))
    }

    /// The evidence's short words as people say them; one that this version does not know stands as it is.
    private static func word(_ difference: String) -> String { words[difference] ?? difference }

    private static let words = [
        "chain-length": "the length of the list", "extensions": "its extensions", "key-size": "the size of a key",
        "key-type": "the type of a key", "must-staple": "the demand for a stapled OCSP answer",
        "plain-chain": "nearly all that the genuine chain says of itself", "root-name": "the root's name",
        "san": "its alternative names", "sct": "Certificate Transparency's timestamps",
        "signature": "a signature's algorithm", "staple": "the stapled OCSP answer", "subject": "its subject",
        "validity": "its dates",
    ]
}
