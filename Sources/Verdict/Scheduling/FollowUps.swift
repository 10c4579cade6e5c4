import Facts
import Policy

/// What the plan's trials left open for a host, and which trials could settle it.
struct FollowUps {
    let profile: Profile
    let attacks: [Attack]
    let coldStarts: Int
    let file: CaseFile
    let twins: [Twin]
    /// Hosts that refuse by themselves, whatever another one does before them.
    private let independent: Set<HostName>

    init(profile: Profile, attacks: [Attack], coldStarts: Int, evidence: RunEvidence, controls: [RunEvidence]) {
        self.profile = profile
        self.attacks = attacks
        self.coldStarts = coldStarts
        file = CaseFile(profile: profile, runs: [evidence])
        twins = controls.map(Twin.init)
        let company = CompanyStarts(file)
        independent = company.isShown ? Set(company.order) : []
    }

    /// For the first host that is open, in the order to run them in; worked out anew after each trial.
    func wanted(_ done: [Trial]) -> [Trial] {
        for host in file.hosts.sorted() {
            guard let rule = profile.rule(for: host), rule.required else { continue }
            let wanted = rule.expect == .refuse ? refusing(host) : rule.expect == .accept ? accepting(host, done) : []
            if !wanted.isEmpty { return wanted }
        }
        return []
    }

    /// A host that is named and not required, works untouched and never came under attack, as another one refuses before it: once,
    /// alone. It may lack a proof, and data under a forged chain is a witness all the same.
    func optional(_ done: [Trial]) -> Trial? { file.hosts.sorted().lazy.compactMap { optional($0, done) }.first }

    private func optional(_ host: HostName, _ done: [Trial]) -> Trial? {
        // Of a pattern there may be a hundred.
        guard let rule = profile.rule(for: host), rule.expect == .refuse, !rule.required, rule.pattern.scope == .exact,
            !attacked(besides: host).isEmpty
        else { return nil }
        let review = Review(file, host, expect: .refuse)
        let trial = Trial.coldStart(only: [host])
        guard review.witnesses.isEmpty, review.carriedGenuineData, !review.meetings.contains(where: \.wasAttempted),
            !done.contains(trial), Environment.fault(at: review, pins: rule.pins) == nil
        else { return nil }
        return trial
    }

    private func refusing(_ host: HostName) -> [Trial] {
        var review = Review(file, host, expect: .refuse)
        review.coldStartsAsked = coldStarts
        // A witness settles it, and what carries nothing untouched cannot be settled.
        guard review.witnesses.isEmpty, review.carriedGenuineData,
            Environment.fault(at: review, pins: profile.rule(for: host)?.pins ?? []) == nil
        else { return [] }
        let isHampered = !attacked(besides: host).isEmpty
        let only: Set<HostName> = isHampered ? [host] : []
        let isProbeInTheWay = file.hosts.contains(where: profile.isControl)
        var wanted: [Trial] = []
        let controls = TrustControls(file: file, review: review, twins: twins)
        let plain = setting(of: Requirement(attack: .trustedCA, variant: nil), review)
        if wantsTrusted(review, controls, plain) { wanted.append(.coldStart(only: plain.hosts)) }
        if let late = lateTrial(.coldStart(only: only), Requirement(attack: .trustedCA, variant: nil), review) {
            wanted.append(late)
        }
        let tried = attacks.contains { $0.id == .untrustedCA } ? attacks : attacks + [.untrustedCA.limited(to: .quick)]
        for requirement in Requirement.all(of: tried, at: host, in: profile)
        where requirement.attack != .trustedCA || requirement.isOtherFormOfTrustedCA {
            let setting = setting(of: requirement, review)
            guard let trial = Trial(requirement, of: host, among: tried, only: setting.hosts), canBegin(trial, host)
            else { continue }
            if wantsAgain(requirement, review, setting) || wantsOccasion(trial, requirement, review) {
                wanted.append(trial)
            }
            var alone = trial
            if !setting.hosts.isEmpty || isHampered { alone.only = [host] }
            if let late = lateTrial(alone, requirement, review) { wanted.append(late) }
        }
        wanted +=
            FurtherPlaces(among: attacks)?.trials(for: review, only: only, coldStarts: coldStarts) ?? []
        if wanted.isEmpty, let probe = wantedProbe(review, controls) { wanted.append(probe) }
        if wanted.isEmpty, let control = lateControl(review, controls) { wanted.append(control) }
        if wanted.isEmpty, wantsDifferential(review, controls) {
            // Where it was conclusive among the others once, it will be so again.
            let joint =
                !isProbeInTheWay
                && review.meetings.contains {
                    $0.reading.differential == .untrusted && !$0.isAlone && !$0.stacks(.conclusive).isEmpty
                }
            wanted.append(.untrusted(only: joint ? [] : isProbeInTheWay ? [host] : only))
        }
        if wanted.isEmpty {
            let all = Requirement.all(of: tried, at: host, in: profile)
            wanted += all.compactMap { requirement in
                let isProbe = requirement.reading.differential == .untrusted && isProbeInTheWay
                return behindAnother(requirement, review, tried, only: isProbe ? [host] : only)
            }
        }
        if wanted.isEmpty, let retry = retriesTrial(review, only: only) { wanted.append(retry) }
        if wanted.isEmpty, let outages = BorneOutages(review, among: attacks) {
            wanted.append(outages.trial(only: only))
        }
        if wanted.isEmpty {
            let forms = FurtherForm.all(among: attacks)
            wanted += forms.lazy.compactMap { $0.trial(at: review, in: file, isHampered: isHampered) }.prefix(1)
        }
        return wanted
    }

    /// A control works untouched.
    private var isControlSeen: Bool {
        file.trials.contains { trial in
            trial.isPassthrough
                && trial.sightings.contains { host, seen in
                    profile.isControl(host) && seen.contains(where: \.carriedGenuineData)
                }
        }
    }

    /// What an app left may have been more than could be copied: then no start can go on from it.
    private func canBegin(_ trial: Trial, _ host: HostName) -> Bool {
        guard let occasion = Occasion(of: trial), case .stateLeft = occasion else { return true }
        return occasion.isGiven(by: host, in: file)
    }

    /// Which hosts an attack is tried at once more, and which meetings are tries of that kind.
    private struct Setting {
        var hosts: Set<HostName> = []
        var counts: (Meeting) -> Bool = { _ in true }
    }

    /// With the others, where they are in nobody's way; alone, where they were all the same, or where nobody knows.
    private func setting(of requirement: Requirement, _ review: Review) -> Setting {
        let host = review.host
        // Controls are shown `untrusted-ca` together with the host, and refuse it as they should.
        let isApart = requirement.reading.differential == .untrusted && file.hosts.contains(where: profile.isControl)
        let isFree = independent.contains(host)
        let joint = review.meetings.filter {
            requirement.matches($0) && $0.sparedFirst == 0 && !$0.isAlone && ($0.isApart || !isApart)
        }
        // A stack that never came may be one that needs another host's data.
        let met = joint.reduce(into: Set(review.lateStacks)) { $0.formUnion($1.sightings.map(\.stack)) }
        let isHindered =
            joint.contains { !$0.wasAttempted || $0.refusals.values.contains { $0.contains(.inCompany) } }
            || !joint.isEmpty && !review.genuineStacks.isSubset(of: met)
        if !attacked(besides: host).isEmpty, !isFree || isHindered {
            return Setting(hosts: [host], counts: \.isAlone)
        }
        return isApart ? Setting(hosts: isFree ? independent : [host], counts: \.isApart) : Setting()
    }

    /// N cold starts whose refusals count, on every stack, and with a control where any of them has one; up to twice as
    /// many trials to get there.
    private func wantsTrusted(_ review: Review, _ controls: TrustControls, _ setting: Setting) -> Bool {
        let counted = review.coldStarts
        let covered = counted.reduce(into: Set(review.lateStacks)) { $0.formUnion(review.refusals(in: $1)) }
        let controlled = counted.count { controls.strength(of: $0) != nil }
        // A share has to show by itself that its device trusts the CA; elsewhere there may be another control than a host.
        let mayLack = !(file.isShareAlone && isControlSeen)
        let isEnough =
            counted.count >= coldStarts && (controlled == 0 && mayLack || controlled >= coldStarts)
            && review.genuineStacks.isSubset(of: covered)
        if isEnough, !review.hasUnsteadyResets { return false }
        let tried = review.trusted.filter(setting.counts)
        guard let last = tried.last else { return true }
        // What never came where it was attacked will not.
        guard tried.count < (tried.contains(where: \.wasAttempted) ? 2 * coldStarts : 2) else { return false }
        if !setting.hosts.isEmpty, tried.count < coldStarts { return true }
        // Beyond the N asked for only to make up for those that died on the way, or may have, or did not come to the host.
        if review.hasUnsteadyResets { return true }
        return !review.refusals(in: last).isEmpty || last.sightings.allSatisfy { !$0.wasDelivered }
    }

    /// A stack that comes only after another one's data meets the attack with the connections before it left alone, up to N
    /// times; each such stack has trials of its own, as one that is behind another late one comes when that one worked.
    ///
    /// One that comes now and then, or behind another number of connections each time, is waited for twice as often: with
    /// each number that was seen, in turns. Until it was met under `trusted-ca` nothing else waits for it.
    private func lateTrial(_ trial: Trial, _ requirement: Requirement, _ review: Review) -> Trial? {
        guard requirement.onset == .atOnce, requirement.reading.occasion != .redirect else { return nil }
        let tried = review.meetings.filter(requirement.matches).map(\.sparedFirst)
        let open = review.lateStacks.filter { stack in
            (requirement.isPlainTrustedCA || review.wasMetLate(stack))
                && review.reaction(of: stack, to: requirement) == .open
        }
        let spared = open.compactMap { stack -> Int? in
            let counts = review.sparedBefore(stack)
            let limit = review.comesSteadily(stack) ? coldStarts : 2 * coldStarts
            guard tried.count(where: counts.contains) < limit else { return nil }
            return counts.min { a, b in tried.count { $0 == a } < tried.count { $0 == b } }
        }
        guard let spared = spared.min() else { return nil }
        var trial = trial
        trial.sparedFirst = spared
        return trial
    }

    /// A late stack that refuses, and that nothing shows to trust the CA, is shown the lent key where there is one, with the
    /// connections before it left alone, up to N times.
    private func lateControl(_ review: Review, _ controls: TrustControls) -> Trial? {
        guard let attack = attacks.first(where: { $0.reading.data == .control }),
            let variant = attack.variants.first(where: { form in
                form.needs.map { profile.lends($0, for: review.host) } ?? false
            })
        else { return nil }
        let tried = review.meetings.filter { $0.attack == attack.id }.map(\.sparedFirst)
        let uncontrolled = review.lateRefused.sorted().filter { stack in
            review.lateRefusals(of: stack).allSatisfy { controls.strength(of: stack, in: $0) == nil }
        }
        for counts in uncontrolled.map(review.sparedBefore) where tried.count(where: counts.contains) < coldStarts {
            guard let spared = counts.min(by: { a, b in tried.count { $0 == a } < tried.count { $0 == b } }) else {
                continue
            }
            var trial = Trial(attack: attack, variant: variant, only: [review.host])
            trial.sparedFirst = spared
            return trial
        }
        return nil
    }

    /// What a connection that comes behind another one has still to be shown, each attack up to N times, and twice at least.
    private func behindAnother(
        _ requirement: Requirement, _ review: Review, _ attacks: [Attack], only: Set<HostName>
    ) -> Trial? {
        guard review.genuineStacks.contains(where: { review.isOpenBehindAnother(requirement, $0) }),
            review.meetingsBehindAnother(requirement).count < max(2, coldStarts),
            var trial = Trial(requirement, of: review.host, among: attacks, only: only)
        else { return nil }
        trial.sparedFirst = Review.sparedBeforeAnother
        return trial
    }

    /// Where one connection was attacked alone and the client opened another one after it had refused that, or one more than it
    /// ever does untouched, that one was let through: once more, with every connection from there on attacked.
    private func retriesTrial(_ review: Review, only: Set<HostName>) -> Trial? {
        let spared = review.meetings.compactMap { meeting -> Int? in
            // `second` attacks all that come after the first.
            guard case .only(let place) = meeting.onset, place > 2 else { return nil }
            let opened = review.sightings.filter { $0.trial == meeting.trial && $0.hasHello }
            let refused = meeting.sightings.filter(\.wasDelivered).map(\.saidNo).min() ?? .infinity
            let isTriedAgain = opened.contains { $0.observation.helloAt > refused }
            return isTriedAgain || opened.count > review.places.most ? place - 1 : nil
        }
        let open = Set(spared).sorted().first { count in
            !review.meetings.contains { $0.attack == .trustedCA && $0.variant == nil && $0.sparedFirst == count }
        }
        guard let open else { return nil }
        var trial = Trial.coldStart(only: only)
        trial.sparedFirst = open
        return trial
    }

    /// An outcome is unclear: alone if the others may have been in the way, and up to N runs.
    private func wantsAgain(_ requirement: Requirement, _ review: Review, _ setting: Setting) -> Bool {
        let early = review.genuineStacks.subtracting(review.lateStacks)
        guard !review.isSettled(requirement, for: early) else { return false }
        let tried = review.meetings.filter {
            requirement.matches($0) && $0.sparedFirst == 0 && setting.counts($0)
        }
        guard let last = tried.last else { return true }
        // A connection that only some starts have comes in another one.
        if review.isUnmet(requirement) { return tried.count < 2 * coldStarts }
        // So does one to a host that is visited now and then; one start that did not come there is no answer.
        if !last.sightings.contains(where: \.wasDelivered), review.trusted.contains(where: \.wasAttempted) {
            return tried.count < max(coldStarts, 2)
        }
        let isUnsure = last.refusals.values.contains { $0.contains(.reset) }
        return last.wasAttempted && tried.count < (isUnsure ? max(coldStarts, 2) : coldStarts)
    }

    /// Where another host's refusal may have kept this one from giving the occasion, it is tried alone, once.
    private func wantsOccasion(_ trial: Trial, _ requirement: Requirement, _ review: Review) -> Bool {
        guard !trial.only.isEmpty, !requirement.isOtherFormOfTrustedCA,
            review.withoutOccasion.contains(requirement),
            !review.meetings.contains(where: { requirement.matches($0) && $0.isAlone && $0.sparedFirst == 0 })
        else { return false }
        return Occasion(of: trial)?.isGiven(by: review.host, in: file) ?? true
    }

    /// Controls took the CA where the host refused it, and it is not known whether they would take any: they are shown
    /// `untrusted-ca` alone, with the host untouched, as often as an unclear attack is tried.
    private func wantedProbe(_ review: Review, _ controls: TrustControls) -> Trial? {
        var unclear: Set<HostName> = []
        for (start, stacks) in review.refusingStarts {
            for stack in stacks {
                if let best = controls.strength(of: stack, in: start), best.rank >= Strength.s2a.rank { continue }
                unclear.formUnion(
                    controls.takingHosts(on: stack, in: start).filter {
                        [.unclear, .notShown].contains(
                            controls.probe.answer(of: $0, on: stack, run: start.trial.run))
                    })
            }
        }
        let tried = file.trials.filter { trial in
            !trial.only.isEmpty && unclear.contains { trial.probes($0) }
        }
        guard !unclear.isEmpty, tried.count < coldStarts else { return nil }
        return .untrusted(only: unclear)
    }

    /// The differential is the only control there can be, and has only to be repeated. Without the profile's word it
    /// proves nothing, however often.
    private func wantsDifferential(_ review: Review, _ controls: TrustControls) -> Bool {
        guard profile.onlyPins, controls.refusingControls.isEmpty else { return false }
        guard coldStarts >= 2, review.coldStarts.contains(where: { controls.strength(of: $0) == nil }) else {
            return false
        }
        // Twice as many as are asked for where some died on the way; no more, it may never settle.
        let tried = review.meetings.filter { $0.reading.differential == .untrusted }
        guard tried.count < 2 * coldStarts else { return false }
        return review.genuineStacks.contains { controls.differential(of: $0, run: 0) == .notRepeated }
    }

    /// A host expected to accept that only ever stood behind a refusal is tried once with nobody attacked.
    private func accepting(_ host: HostName, _ done: [Trial]) -> [Trial] {
        var review = Review(file, host, expect: .accept)
        review.coldStartsAsked = coldStarts
        guard review.carriedGenuineData, !review.sightings.contains(where: \.isTrust), review.coldStarts.isEmpty,
            !attacked(besides: host).isEmpty, Environment.fault(at: review, pins: []) == nil
        else { return [] }
        return [Trial.coldStart(only: [host])].filter { !done.contains($0) }
    }

    /// Other hosts that are attacked where all are.
    private func attacked(besides host: HostName) -> [HostName] {
        file.hosts.filter { $0 != host && profile.rule(for: $0)?.expect == .refuse }
    }
}
