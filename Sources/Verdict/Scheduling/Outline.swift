import Facts
import Policy

/// What a run will do, as far as that can be told before it.
package struct Outline: Hashable, Sendable {
    /// The plan in its order, the last passthrough included.
    package var steps: [Scheduler.Step]
    /// Runs of COMMAND if no occasion is given and nothing has to be repeated.
    package var atLeast: Int
    package var atMost: Int
    /// The same for a client as most are, which refuses all.
    package var typical: Int
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
                    ?? steps.count + min(limit, repetitions))
                + (terms.retries > 0 ? retryLimit : 0),
            typical: steps.count { $0.condition?.isUsual ?? true } + reserveCount, inReserve: inReserve)
    }

    /// How many trials the run will have in all, as far as its evidence tells: what is still to come of the plan where there is
    /// an occasion for it, and what comes on top where all is refused.
    package func expectedCount(_ evidence: RunEvidence) -> Int {
        let begun = evidence.trialCount + 1
        let soFar = RunSoFar(profile, evidence)
        let file = soFar.file
        let attacked = file.hosts.filter { profile.role(of: $0) == .refuse }
        let isFailed = !terms.isExhaustive && soFar.haveAllFailed
        let rest = plan[min(reached, plan.count)...].count { step in
            if isFailed { return step.trial.tellsSubtype }
            guard let condition = step.condition else { return true }
            return attacked.contains { condition.isGiven(by: $0, in: file) }
                || condition.isUsual && !condition.wasAskable(in: file)
        }
        guard !isFailed else { return begun + rest }
        let names = Set(done.map(\.name))
        let further = inReserveAsARule.count { !names.contains($0) }
        let isLast = reached == plan.count && done.last == .passthrough
        let known = begun + rest + further + (isLast ? 0 : 1)
        // Beyond the plan, what is open is counted as it is found.
        return reached < plan.count ? known : max(known, begun + max(0, plannedCount - done.count))
    }

    /// The same for a run that has not begun, by what another one with this profile showed in its first two trials.
    package func typicalCount(after seen: RunEvidence) -> Int {
        let soFar = RunSoFar(profile, seen)
        let file = soFar.file
        let hosts = file.hosts.filter { profile.role(of: $0) == .refuse }
        let isFailed = !terms.isExhaustive && soFar.haveAllFailed
        let steps = plan.count { step in
            if isFailed { return step.trial.tellsSubtype || step == plan[0] || step == plan[1] }
            return step.condition.map { condition in hosts.contains { condition.isGiven(by: $0, in: file) } } ?? true
        }
        return isFailed ? steps : steps + reserveCount + 1
    }

    private var inReserve: [String] {
        FurtherForm.all(among: attacks).filter { !$0.isOwn }.map(\.name)
    }

    /// Those that most clients meet: few say that the genuine issuer has not signed what is named like its own.
    private var inReserveAsARule: [String] {
        FurtherForm.all(among: attacks).filter { !$0.isOwn && $0.isUsual }.map(\.name)
    }

    /// How many starts those are: in one of the forms each host is attacked alone.
    private var reserveCount: Int {
        let isEach = FurtherForm.all(among: attacks).contains(where: \.isOfEach)
        let hosts = profile.rules.count { $0.expect == .refuse && $0.pattern.scope == .exact }
        return inReserveAsARule.count + (isEach ? max(0, hosts - 1) : 0)
    }

    /// Forms for connections by their place: those are waited for as often again.
    private var ofPlaces: Int { plan.count(where: \.trial.isOfPlaces) }

    /// `BorneOutages`, where the run shows what a client bears.
    private var outages: Int { BorneOutages.most(among: attacks) }

    /// The most that `FollowUps` asks for, each T with a passthrough before it.
    private var repetitions: Int {
        let required = profile.rules.filter { $0.required && $0.expect != .tunnel }
        // Nobody knows how many hosts a wildcard stands for.
        let optional = profile.rules.filter { !$0.required && $0.expect == .refuse && $0.pattern.scope == .exact }
        guard required.allSatisfy({ $0.pattern.scope == .exact }) else { return limit }
        let attacked = profile.rules.filter { $0.expect == .refuse }.count
        let others = plan.filter { $0.trial != .passthrough && !$0.trial.isColdStart }.count
        let forms = FurtherForm.all(among: attacks).count
        // Several behind one another.
        let company = attacked > 1 ? 2 * min(attacked, CompanyStarts.mostHosts) : 0
        // At all hosts at once, and then alone.
        return required.reduce(company + (forms > 0 ? 1 : 0) + 2 * optional.count) { total, rule in
            guard rule.expect == .refuse else { return total + (attacked > 0 ? 2 : 0) }
            // With one attacked host, joint trials count towards its limit; with several, those alone have a limit of
            // their own.
            let starts = attacked > 1 ? 2 * coldStarts : coldStarts
            let again = attacked > 1 ? coldStarts : coldStarts - 1
            return total + 2 * starts + again * others + coldStarts * (2 + ofPlaces) + outages + forms
        }
    }
}

extension Occasion {
    /// Most clients give it: they finish a handshake that they refuse, or offer TLS 1.2 beside 1.3.
    var isUsual: Bool {
        switch self {
        case .finishing, .olderVersion: true
        default: false
        }
    }

    /// What shows it has been seen.
    func wasAskable(in file: CaseFile) -> Bool {
        file.trials.contains { trial in
            switch self {
            case .finishing, .olderVersion, .version, .moreThanOrigin: trial.attack == .trustedCA
            default: trial.isPassthrough
            }
        }
    }
}
