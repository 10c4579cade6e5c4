import Policy

/// `trusted-ca` once more in the standard set, for pins that are checked in one kind of connection and forgotten in
/// another: TLS 1.2, an RSA leaf and HTTP/1.1, each where the client has it on offer and the plain form had something
/// newer.
///
/// It comes when all else is settled and, in runs with one cold start, where there is room for it: at all hosts at once,
/// and once only.
struct OlderHandshake {
    static let name = "older"

    let trial: Trial

    /// nil where the run is of less than the standard set, or has this form among its attacks.
    init?(among attacks: [Attack]) {
        guard let attack = attacks.first(where: { $0.id == .trustedCA }),
            !attack.variants.contains(where: { $0.name == Self.name }),
            attacks.contains(where: { $0.id == Requirement.laterConnection }),
            let variant = Attack.trustedCA.variants.first(where: { $0.name == Self.name })
        else { return nil }
        trial = Trial(attack: attack, variant: variant)
    }

    func wasTried(at review: Review) -> Bool {
        review.meetings.contains { $0.attack == trial.id && $0.variant == Self.name }
    }
}
