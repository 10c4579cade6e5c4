import Facts
import Policy

/// The pin fits a certificate of another host, so all rests on the check of the name.
enum WeakPin {
    static func find(_ host: HostCase) -> [Finding] { accepted(host.review) + passed(host.review) }

    private static func accepted(_ review: Review) -> [Finding] {
        let data = review.sightings.filter {
            $0.outcome == .data && AttackCatalogue.form($0.attack, $0.variant)?.needs == .otherHost
        }
        guard !data.isEmpty else { return [] }
        return [
            Finding(
                id: "weak-pin", severity: .error, fact: .leak(.pinTookOtherHost), evidence: data.map(\.line))
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
                fact: .leak(.pinFitsOtherHost(alert: AlertCode(rawValue: alert.code))),
                evidence: signature.map(\.line))
        ]
    }
}
