import Facts
import Policy

/// The pin fits a certificate of another host, so all rests on the check of the name.
enum WeakPin {
    static func find(_ review: Review) -> [Finding] { accepted(review) + passed(review) }

    private static func accepted(_ review: Review) -> [Finding] {
        let data = review.sightings.filter {
            AttackCatalogue.form($0.attack, $0.variant)?.needs == .otherHost && $0.outcome == .data
        }
        guard !data.isEmpty else { return [] }
        return [
            Finding(
                id: "weak-pin", severity: .error,
                text: "the pin accepted a certificate for another host, and nobody compared the names",
                evidence: data.map(\.line))
        ]
    }

    /// A complaint about the handshake's signature comes after the certificate stage. It tells something of stacks that
    /// pin *in* that stage only: others would say the same with the pin still to come.
    private static func passed(_ review: Review) -> [Finding] {
        let signature = review.certificateStagePassedForOtherHost
        guard let alert = signature.first?.answer.alert else { return [] }
        return [
            Finding(
                id: "weak-pin", severity: .warning,
                text:
                    "the pin fits another host's certificate of the same CA (it answered \(alert.name), and not a word "
                    + "about the certificate): it is a CA's, and all rests on the check of the name",
                evidence: signature.map(\.line))
        ]
    }
}
