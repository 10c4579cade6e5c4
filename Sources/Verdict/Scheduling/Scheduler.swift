import Facts
import Policy

/// Which trial comes next: the plan, then what the evidence leaves open, passthrough last.
///
/// Begin here: `plan` is known before a run, and `FollowUps` says what the evidence so far leaves open.
///
///     var scheduler = Scheduler(profile: profile, attacks: attacks, coldStarts: 3)
///     while let trial = scheduler.next(evidence: evidence) { run(trial) }
package struct Scheduler: Sendable {
    /// A trial of the plan, and what a client has to have done before it is worth a cold start.
    package struct Step: Hashable, Sendable {
        package var trial: Trial
        /// nil: it comes whatever was seen.
        package var condition: Occasion?
    }

    /// Trials beyond the plan: enough for a dozen hosts attacked one at a time, and an end for hosts that never settle.
    package static let followUpLimit = 256

    /// Trials of a run with one cold start and one host to attack, whatever the client does, where the plan itself is
    /// not longer: as many as the standard set needs, and some for starts that showed nothing. Those that only
    /// some clients give an occasion for come on top.
    package static let singleHostLimit = 28

    package let coldStarts: Int
    package let terms: Terms
    /// In the order in which they were handed out, each once however often it was run again.
    package private(set) var done: [Trial] = []
    /// How many trials there will be, as far as can be told; grows when hosts have to be attacked alone.
    package private(set) var plannedCount: Int
    /// The trial handed out last is the one before it, once more.
    package private(set) var isRetry = false
    /// Why there is no further trial, where the plan is not through.
    package private(set) var early: EarlyEnd?
    /// What the time allowed was too short for, by the names of its trials.
    package private(set) var leftOut: [String] = []

    /// Lower in tests only.
    var limit = Self.followUpLimit

    let profile: Profile
    let attacks: [Attack]
    /// The last passthrough is not among them: it comes after the follow-ups.
    let plan: [Step]
    private let controls: [RunEvidence]
    /// How much of the plan has been handed out or left out.
    private(set) var reached = 0
    private(set) var followUps = 0
    private var retries = (inARow: 0, inAll: 0)

    /// - Parameters:
    ///   - named: attacks that were asked for by name: tried whether a client gives an occasion or not.
    ///   - controls: other runs that may serve as S2b; where they do, no differential is needed.
    ///   - terms: how much it tries; by default each trial once, and all of them.
    package init(
        profile: Profile, attacks: [Attack], coldStarts: Int, named: Set<AttackID> = [], controls: [RunEvidence] = [],
        terms: Terms = Terms()
    ) {
        self.terms = terms
        self.profile = profile
        self.attacks = attacks
        self.coldStarts = max(1, coldStarts)
        self.controls = controls
        plan = Self.plan(attacks, max(1, coldStarts), profile, named)
        plannedCount = plan.count + 1
    }

    /// nil when there is nothing left to learn. `evidence` is the run's so far, with every trial that was handed out.
    package mutating func next(evidence: RunEvidence) -> Trial? {
        guard leftOut.isEmpty else { return nil }
        let soFar = RunSoFar(profile, evidence)
        let futility = terms.keepsGoing ? nil : Futility(soFar, after: done, controls: controls).early
        if let trial = again(soFar, isFutile: futility != nil) { return trial }
        early = futility
        guard early == nil else { return nil }
        let trial = inTime(firstAgain(soFar) ?? nextOfPlan(soFar) ?? followUp(soFar), evidence)
        if let trial { done.append(trial) }
        plannedCount = max(plannedCount, done.count)
        return trial
    }

    /// The last trial once more, where it told nothing, or where nothing could be settled if it was right.
    private mutating func again(_ soFar: RunSoFar, isFutile: Bool) -> Trial? {
        isRetry = false
        guard let last = done.last, retries.inARow < terms.retries, retries.inAll < retryLimit,
            !isFutile || soFar.evidence.trialCount < Self.futileStarts
        else {
            retries.inARow = 0
            return nil
        }
        // One that said so much once may have met a bad moment; the second one is believed.
        let isFirst = done == [.passthrough]
        let isDoubted =
            (isFutile || isFirst && (soFar.didFirstBreakOff || soFar.wasAskedInVain)) && retries.inARow == 0
        guard isDoubted || soFar.isFruitless(last) || isFirst && soFar.hasFailedUntouched else {
            retries.inARow = 0
            return nil
        }
        retries = (retries.inARow + 1, retries.inAll + 1)
        isRetry = true
        return last
    }

    /// Retries of a whole run: half as many trials as the plan has, so that an app that fails under attack alone ends soon.
    var retryLimit: Int { (plan.count + 2) / 2 }

    /// Cold starts after which a run ends that can settle nothing.
    static let futileStarts = 4

    /// P T U, a share of the others, P T and the next share, …; the last passthrough comes after the follow-ups.
    static func plan(
        _ attacks: [Attack], _ coldStarts: Int, _ profile: Profile, _ named: Set<AttackID>
    ) -> [Step] {
        let others = attacks.flatMap { attack in
            Trial.all(of: attack, in: profile).filter { !$0.isHalfOfDifferential }.map { trial in
                // What is never opened cannot be attacked alone, what is never agreed on cannot be checked, and what left
                // nothing cannot go on from it, however much it is asked for.
                let isNeverOwed = trial.isOfOneConnection || trial.isOfCertainOffer || trial.continuesState
                let isOwed = named.contains(attack.id) && !isNeverOwed
                return Step(trial: trial, condition: isOwed ? nil : Occasion(of: trial))
            }
        }
        var plan: [Step] = []
        for start in 0..<coldStarts {
            plan += [Step(trial: .passthrough), Step(trial: .coldStart)]
            if start == 0 { plan.append(Step(trial: .untrusted())) }
            plan += others[others.count * start / coldStarts..<others.count * (start + 1) / coldStarts]
        }
        return plan
    }

    /// A first passthrough that failed at a required host is run again, once, while nothing was attacked yet: what is not
    /// warm at the first start (caches, an emulator, name resolution) is no fault of the environment.
    private mutating func firstAgain(_ soFar: RunSoFar) -> Trial? {
        guard terms.retries == 0, done == [.passthrough], soFar.hasFailedUntouched || soFar.wasAskedInVain else {
            return nil
        }
        plannedCount += 1
        return .passthrough
    }

    private mutating func nextOfPlan(_ soFar: RunSoFar) -> Trial? {
        let isFailed = !terms.isExhaustive && soFar.haveAllFailed
        while reached < plan.count {
            let step = plan[reached]
            if step.trial == .passthrough, let trial = insteadOfPassthrough(soFar) { return trial }
            reached += 1
            if step.trial == .passthrough, isOfCompany(done.last), soFar.areAllSeenOpen {
                plannedCount -= 1
                continue
            }
            let isWanted = !isFailed || step.trial.tellsSubtype
            if isWanted, step.condition.map(soFar.isGiven) ?? true { return step.trial }
            plannedCount -= 1
        }
        return nil
    }

    /// In the place of a later passthrough: two starts that attack some hosts each, no host both times, show the way to all of
    /// them open as well, and more besides.
    private mutating func insteadOfPassthrough(_ soFar: RunSoFar) -> Trial? {
        guard done.count(where: \.isColdStart) > 1, let company = soFar.company, let last = company.order.last else {
            return nil
        }
        // Most apps that give up do so at the first one, and then none of the others is worth a start.
        let wanted = [Set(company.order.prefix(1)), [last], Set(company.order.dropLast())]
        return wanted.first { company.open.contains($0) && isNew(.hostOnly($0)) }.map { ofCompany($0) }
    }

    /// One that was run and is open all the same was interrupted, or COMMAND failed in it: it is not run for ever.
    private func isNew(_ trial: Trial) -> Bool {
        followUps < limit && done.count { $0 == trial } < CompanyStarts.mostTries
    }

    private mutating func ofCompany(_ hosts: Set<HostName>) -> Trial {
        followUps += 1
        plannedCount += 1
        return .hostOnly(hosts)
    }

    private func isOfCompany(_ trial: Trial?) -> Bool { trial?.variant?.conduct.sparesOthers ?? false }

    /// Ends the run with what has been tried.
    mutating func leaveOut(_ trial: Trial) {
        let rest = plan[min(reached, plan.count)...].map(\.trial)
        let names = ([trial] + rest).map(\.name)
        leftOut = names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        if leftOut.count > 1 { leftOut.removeAll { $0 == AttackID.passthrough.rawValue } }
    }

    private mutating func followUp(_ soFar: RunSoFar) -> Trial? {
        // An app that fails under attack alone shows no more by more attacks.
        let isVain = followUps >= limit || soFar.failsUnderAttackAlone
        // The others carry data in them, so that the way is seen open.
        if !isVain, !soFar.haveAllFailed, let hosts = soFar.company?.open.first(where: { isNew(.hostOnly($0)) }) {
            return ofCompany(hosts)
        }
        var wanted = isVain ? [] : openTrials(soFar.counted)
        if wanted.isEmpty, !isVain, let optional = optionalTrial(soFar) { wanted = [optional] }
        guard let first = wanted.first, isAffordable(first) else {
            // The last passthrough tells an outage from a refusal, and where there is no refusal there is nothing to tell.
            let isNeeded = terms.isExhaustive || !soFar.haveAllFailed
            return done.last == .passthrough || !isNeeded ? nil : .passthrough
        }
        followUps += 1
        plannedCount = done.count + wanted.count + 1
        guard needsPassthrough(first) else { return first }
        // One of the others between two T, so that a differential has both orders.
        if done.last == first, let other = wanted.first(where: { !$0.isColdStart }) { return other }
        return .passthrough
    }

    /// Between two cold starts the way to the host has to be seen open.
    private func needsPassthrough(_ trial: Trial) -> Bool {
        guard trial.isColdStart, let last = done.lastIndex(where: \.isColdStart) else { return false }
        return !done[last...].contains(.passthrough)
    }

    private func isAffordable(_ trial: Trial) -> Bool {
        // A connection that did not come is waited for on top.
        guard let budget, !trial.comesOnTop, !(trial.isOfPlaces && done.contains(trial)) else { return true }
        let repeated = done.starts(with: [.passthrough, .passthrough]) ? 1 : 0
        return done.count { !$0.comesOnTop } - repeated + (needsPassthrough(trial) ? 3 : 2) <= budget
    }

    /// Without the trials that come on top; nil: bounded by the follow-ups alone.
    var budget: Int? {
        let attacked = profile.rules.filter { $0.expect == .refuse }
        // Several clients may each lack something else.
        guard coldStarts == 1, profile.clients.count < 2, attacked.count == 1, attacked[0].pattern.scope == .exact
        else { return nil }
        return max(Self.singleHostLimit, plan.count { !$0.trial.comesOnTop } + 1)
    }

    /// For a host that is not required, where no required one is open; nil where the time is short: nobody has to lack it.
    private func optionalTrial(_ soFar: RunSoFar) -> Trial? {
        let trial = shares(soFar.counted).joined().lazy.compactMap { $0.optional(done) }.first
        guard let trial, let seconds = terms.seconds, let pace = Pace(soFar.evidence) else { return trial }
        // With a passthrough before it, and the last one.
        return seconds - pace.spent >= 4 * pace.each ? trial : nil
    }

    /// What each client left open.
    private func shares(_ evidence: RunEvidence) -> [[FollowUps]] {
        Attribution(profile: profile, runs: [evidence]).shares(controls: controls).map { share in
            share.runs.map {
                FollowUps(
                    profile: profile, attacks: attacks, coldStarts: coldStarts, evidence: $0, controls: share.controls)
            }
        }
    }

    /// What the first client still lacks of whom something is open: trials are shared, so it may help others too.
    private func openTrials(_ evidence: RunEvidence) -> [Trial] {
        shares(evidence).lazy.map { share in share.flatMap { $0.wanted(done) } }.first { !$0.isEmpty } ?? []
    }
}
