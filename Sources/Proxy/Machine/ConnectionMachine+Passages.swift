import Facts
import Policy

/// How what is not intercepted is copied.
extension ConnectionMachine {
    /// A tunnel that does not begin with TLS, and may come to it (STARTTLS). Nobody judges what is debugged.
    func dialogue(with target: Endpoint) -> Passage {
        guard plan.phase != .debugging else { return Passage() }
        var passage = Passage(target: target)
        if case .intercept(_, let variant) = decide(asked ?? target.host) {
            passage.denial = variant.conduct.denialOfTLS
        }
        return passage
    }

    /// A connection that is left alone.
    func passage(_ meeting: Meeting) -> Passage {
        var passage = Passage(isWatched: true)
        passage.isOfInterest =
            plan.concerns(client: clientName) && plan.profile.role(of: meeting.host) != .undeclared
        if meeting.isSpared, case .intercept(_, let variant) = meeting.decision {
            passage.loss =
                switch variant.conduct.onset {
                case .afterLostAnswer: .cut
                case .afterNoAnswer: .silence
                default: nil
                }
            if case .afterCut(let cut) = variant.conduct.onset { passage.cut = cut }
        }
        return passage
    }
}
