import Facts
import Policy

/// Tunnels that do not begin with TLS, and may come to it (STARTTLS).
extension ConnectionMachine {
    /// How such a tunnel is copied. Nobody judges what is debugged.
    func dialogue(with target: Endpoint) -> Passage {
        guard plan.phase != .debugging else { return Passage() }
        var passage = Passage(target: target)
        if case .intercept(_, let variant) = decide(asked ?? target.host) {
            passage.hidesOffer = variant.conduct.hidesOfferOfTLS
        }
        return passage
    }
}
