import Facts
import Policy

/// What a run will do, as far as that can be told before it.
package struct Outline: Hashable, Sendable {
    /// The plan in its order, the last passthrough included.
    package var steps: [Scheduler.Step]
    /// Runs of COMMAND if no occasion is given and nothing has to be repeated.
    package var atLeast: Int
    package var atMost: Int
    /// What comes on top when all else was refused, where there is room for it, by name.
    package var inReserve: [String]
}

extension Scheduler {
    /// The plan without a run; what the evidence may add is in `atMost`.
    package var outline: Outline {
        let steps = plan + [Step(trial: .passthrough)]
        return Outline(
            steps: steps, atLeast: steps.filter { $0.condition == nil }.count,
            // The first passthrough may have to be run again.
            atMost: 1
                + (budget.map { $0 + plan.count(where: \.trial.comesOnTop) + ofPlaces + outages }
                    ?? steps.count + min(limit, repetitions)),
            inReserve: inReserve)
    }

    private var inReserve: [String] {
        FurtherForm.all(among: attacks).filter { !$0.isOwn }.map(\.name)
    }

    /// Forms for connections by their place: those are waited for as often again.
    private var ofPlaces: Int { plan.count(where: \.trial.isOfPlaces) }

    /// `BorneOutages`, where the run shows what a client bears.
    private var outages: Int { BorneOutages.most(among: attacks) }

    /// The most that `FollowUps` asks for, each T with a passthrough before it.
    private var repetitions: Int {
        let required = profile.rules.filter { $0.required && $0.expect != .tunnel }
        // Nobody knows how many hosts a wildcard stands for.
        guard required.allSatisfy({ $0.pattern.scope == .exact }) else { return limit }
        let attacked = profile.rules.filter { $0.expect == .refuse }.count
        let others = plan.filter { $0.trial != .passthrough && !$0.trial.isColdStart }.count
        let forms = FurtherForm.all(among: attacks).count
        // At all hosts at once, and then alone.
        return required.reduce(forms > 0 ? 1 : 0) { total, rule in
            guard rule.expect == .refuse else { return total + (attacked > 0 ? 2 : 0) }
            // With one attacked host, joint trials count towards its limit; with several, those alone have a limit of
            // their own.
            let starts = attacked > 1 ? 2 * coldStarts : coldStarts
            let again = attacked > 1 ? coldStarts : coldStarts - 1
            return total + 2 * starts + again * others + coldStarts * (2 + ofPlaces) + outages + forms
        }
    }
}
