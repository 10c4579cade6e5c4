import Facts
import Policy

/// How what is not intercepted is copied.
extension ConnectionMachine {
    /// A connection that is copied.
    struct Passage: Hashable {
        /// Its TLS is looked at from aside: whether a request and an answer crossed.
        var isWatched = false
        var sawData = false
        /// The profile says something of its host, so it matters whether data comes through.
        var isOfInterest = false
        /// Once the origin has been asked something, its answer is lost.
        var loss: AnswerLoss?
        /// Once it has answered, and both sides are quiet, the connection is closed.
        var cut: Conduct.Cut?
        /// The client has asked something, answered or not.
        var wasAsked = false
        /// It is due to be closed as soon as it is quiet.
        var isToBeCut: Bool { cut.map { $0 == .unused ? !wasAsked && !sawData : sawData } ?? false }
        /// A plain request on a connection that may have been closed already; nil once an answer came.
        var repeatable: PlainErrand?
        /// Of a plain request nothing was answered yet.
        var awaitsAnswer = false
        /// A further request waits for an answer whose end cannot be known.
        var isWaitedFor = false
        /// Where the client wanted to go, in a tunnel that has not begun with TLS and may come to it.
        var target: Endpoint?
        /// There is no TLS on offer in it.
        var denial: Conduct.DenialOfTLS?
    }

    /// How an answer is lost.
    enum AnswerLoss: Hashable {
        /// The connection is cut off.
        case cut
        /// It stays open, and nothing comes.
        case silence
    }

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
