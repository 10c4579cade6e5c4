import Facts

/// The pin fits a certificate of another host, so all rests on the name check (verdicts §3, A6).
enum WeakPin {
    static func find(_ review: Review) -> [Finding] { accepted(review) + passed(review) }

    private static func accepted(_ review: Review) -> [Finding] {
        let data = review.sightings.filter { $0.attack == otherHost && $0.variant == "lent" && $0.outcome == .data }
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
        let early = review.stacksThatRefuseInHandshake
        let signature = review.sightings.filter { sighting in
            guard sighting.attack == otherHost, sighting.variant == "same-ca", sighting.outcome == .alert,
                let code = Classifier.fatalAlert(of: sighting.observation)?.code
            else { return false }
            return AlertClass.signature.contains(code) && !review.trustedAlerts.contains(code)
                && early.contains(sighting.stack)
        }
        guard let alert = signature.first.flatMap({ Classifier.fatalAlert(of: $0.observation) }) else { return [] }
        return [
            Finding(
                id: "weak-pin", severity: .warning,
                text:
                    "the pin fits another host's certificate of the same CA (it answered \(alert.name), and not a word "
                    + "about the certificate): it is a CA's, and all rests on the check of the name",
                evidence: signature.map(\.line))
        ]
    }

    private static let otherHost: AttackID = "other-host"
}

extension Review {
    /// What was said to `trusted-ca`.
    var trustedAlerts: Set<UInt8> {
        Set(trustedSightings.compactMap { Classifier.fatalAlert(of: $0.observation)?.code })
    }

    /// Stacks that said no to `trusted-ca` each time before their Finished, with an alert.
    var stacksThatRefuseInHandshake: Set<String> {
        let delivered = trustedSightings.filter(\.wasDelivered)
        let late = Set(delivered.filter { $0.observation.finishedMS != nil || $0.outcome != .alert }.map(\.stack))
        return Set(delivered.map(\.stack)).subtracting(late)
    }
}
