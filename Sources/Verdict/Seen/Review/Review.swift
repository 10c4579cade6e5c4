import Facts
import Policy

/// All that the trials show of one host: what it did untouched, and under each attack.
struct Review {
    /// One whole passthrough trial.
    struct Untouched {
        let trial: TrialKey
        let wasAttempted: Bool
        /// It failed, rather than being ended by the gate while client and server were still at it, and not because COMMAND did,
        /// as the next start showed.
        let hasFailed: Bool
        /// Stacks that carried data to the genuine host.
        let stacks: Set<String>
        let carriedData: Bool
        /// It left something that a later start could go on from.
        var leftState = false
    }

    /// How one stack stands to one attack.
    enum Reaction { case refused, onlyInCompany, onlyReset, onlyUnidentified, noOccasion, leftOut, open }

    let host: HostName
    var coldStartsAsked: Int
    /// Of the run's plan it is one share alone: what else the plan tries is not known.
    let isShare: Bool
    let requirements: [Requirement]
    let sightings: [Sighting]
    /// Every connection that met `trusted-ca` in its plain form, in whole trials and others.
    let trustedSightings: [Sighting]
    /// Who answered before the first start; nil: nobody was asked.
    let origin: OriginSeen?
    let untouched: [Untouched]
    let meetings: [Meeting]
    /// The meetings under `trusted-ca` in its plain form.
    let trusted: [Meeting]
    /// Cold starts under `trusted-ca` in which a refusal counts.
    let coldStarts: [Meeting]
    /// Stacks that carried genuine data to the host: each of them must be seen to refuse.
    let genuineStacks: Set<String>
    /// Stacks with which a client tried again where another one had been refused, and was refused in so many words.
    let fallbackStacks: Set<String>
    /// Stacks that need not be seen at work untouched, as their refusals are no unused sockets.
    let outspokenStacks: Set<String>
    /// Its connections by their place in a cold start.
    let places: LaterConnections
    /// Of each late stack how many connections come before its first, each number that was seen: it was met under
    /// `trusted-ca` in no cold start, and untouched it never came without another one's data before it.
    private let countsBefore: [String: [Int]]
    /// Sessions that were resumed where nothing allowed for it: the process was no cold start.
    let warmStarts: [Sighting]
    /// More plain HTTP to the host while it was attacked than any untouched trial has: what was refused by TLS left
    /// without it.
    let cleartextFallback: [Sighting]
    /// Since when clients were sent on to the host, by trial of `redirect`.
    private let redirections: [TrialKey: Double]
    /// Stacks that end without a word, and in an RST, in the cold starts in which the host was tried: then it is how this client
    /// refuses.
    private let resetting: Set<String>

    init(_ file: CaseFile, _ host: HostName, expect: HostExpectation) {
        self.host = host
        coldStartsAsked = file.coldStarts
        isShare = file.isShareAlone
        requirements = expect == .refuse ? file.requirements(at: host) : []
        sightings = file.sightings(of: host)
        trustedSightings = sightings.filter { $0.outcome != nil && $0.attack == .trustedCA && $0.variant == nil }
        origin = file.origins[host]
        // A run in which the host never came at all says nothing of it.
        let visited = file.runs.count > 1 ? Set(sightings.map(\.trial.run)) : [0]
        let whole = file.trials.filter { $0.isComplete && visited.contains($0.key.run) }
        untouched = whole.filter(\.isPassthrough).map { trial in
            let seen = trial.sightings[host] ?? []
            let carried = seen.filter { $0.carriedGenuineData && $0.isIdentified }
            let isCommands = carried.isEmpty && file.starts.isCommandsFailure(trial, host)
            return Untouched(
                trial: trial.key, wasAttempted: !isCommands && seen.contains(where: \.isUntouchedAttempt),
                hasFailed: carried.isEmpty && !isCommands
                    && seen.contains { $0.isUntouchedAttempt && !$0.wasCutShort },
                stacks: Set(carried.map(\.stack)).subtracting([""]), carriedData: !carried.isEmpty,
                leftState: trial.end?.leftState ?? false)
        }
        let misreading = sightings.misreadingStacks
        meetings =
            expect == .accept
            ? whole.filter { !$0.isPassthrough }.map { Meeting($0, host, attack: .trustedCA, variant: nil) }
            : whole.filter { $0.attacks(host) }.map {
                Meeting($0, host, attack: $0.attack, variant: $0.variant, misreading: misreading)
            }
        cleartextFallback = Self.cleartextFallback(sightings, untouched, meetings)
        trusted = meetings.filter(\.isColdStart)
        let tried = trusted.filter(\.wasAttempted)
        let resetting = Self.resetting(tried)
        self.resetting = resetting
        genuineStacks = untouched.reduce(into: []) { $0.formUnion($1.stacks) }
        let fallbackStacks = Self.fallbacks(from: genuineStacks, sightings, trusted)
        self.fallbackStacks = fallbackStacks
        let outspokenStacks = Self.outspoken(trusted)
        self.outspokenStacks = outspokenStacks
        // What need not be seen at work untouched does not make a cold start of what has to be.
        let beside = outspokenStacks.union(fallbackStacks).subtracting(genuineStacks)
        coldStarts = trusted.filter { !Self.refusals(in: $0, resetting).subtracting(beside).isEmpty }
        let places = LaterConnections(sightings, in: untouched, journey: file.journeys)
        self.places = places
        let met = Set(tried.flatMap(\.sightings).map(\.stack))
        countsBefore =
            tried.isEmpty
            ? [:] : genuineStacks.subtracting(met).reduce(into: [:]) { $0[$1] = places.countsBefore($1) }
        redirections = whole.reduce(into: [:]) {
            $0[$1.key] = Redirection.moment(of: host, in: $1, file.profile)
        }
        let resumable = Set(file.trials.filter { $0.reading.occasion == .resumption }.map(\.key))
        warmStarts = sightings.filter { $0.outcome == .resumed && !resumable.contains($0.trial) }
    }

    /// How many connections are left alone before this stack can be met at all, each number that untouched trials show;
    /// empty for a stack that is no late one.
    func sparedBefore(_ stack: String) -> [Int] { countsBefore[stack] ?? [] }

    var lateStacks: [String] { countsBefore.keys.sorted() }

    var witnesses: [Sighting] { sightings.filter(\.isWitness) }

    /// Data that went out without a look at a certificate: no witness, as nothing forged was shown, and no proof.
    var resumedData: [Sighting] { sightings.filter { $0.outcome == .resumed && $0.observation.bytesUp > 0 } }

    /// Untouched, it carried data at least once.
    var carriedGenuineData: Bool { untouched.contains(where: \.carriedData) }

    func genuineStacks(run: Int) -> Set<String> {
        untouched.filter { $0.trial.run == run }.reduce(into: []) { $0.formUnion($1.stacks) }
    }

    /// Stacks that were delivered `trusted-ca` and refused it, however little the refusal counts.
    var refusedStacks: Set<String> { trusted.reduce(into: []) { $0.formUnion($1.refusals.keys) } }

    /// Stacks whose refusal counts in this meeting under `trusted-ca`.
    func refusals(in start: Meeting) -> Set<String> {
        Self.refusals(in: start, resetting).subtracting(fallbackStacks)
    }

    private static func refusals(in start: Meeting, _ resetting: Set<String>) -> Set<String> {
        start.stacks(.conclusive).union(start.stacks(.reset).intersection(resetting))
    }

    /// A FIN among the RSTs is the same silence: which of the two it is hangs on what lies unread in the client's buffer. A start
    /// that never got as far as to show the stack something says nothing of it.
    private static func resetting(_ starts: [Meeting]) -> Set<String> {
        let any = starts.reduce(into: Set<String>()) { $0.formUnion($1.stacks(.reset)) }
        return any.filter { stack in starts.allSatisfy { $0.wentSilently(stack) || $0.showedNothing(to: stack) } }
    }

    /// It ends by an RST, and without a word, wherever it was tried: that is how it refuses.
    func refusesByReset(_ stack: String) -> Bool { resetting.contains(stack) }

    /// Some stack was seen to refuse by an RST without a word in one cold start, and not in silence, or not at all, in
    /// others: that may have been a crash. It is in nobody's way where N other starts show a refusal of that stack.
    var hasUnsteadyResets: Bool {
        let unsteady = trusted.reduce(into: Set<String>()) { unsteady, meeting in
            unsteady.formUnion(meeting.stacks(.reset).subtracting(meeting.stacks(.conclusive)).subtracting(resetting))
        }
        return unsteady.contains { stack in
            trusted.count { $0.has(.conclusive, on: stack) } < coldStartsAsked
        }
    }

    func reaction(of stack: String, to requirement: Requirement) -> Reaction {
        let met = meetings(requirement, on: stack)
        if requirement.reading.occasion == .redirect, !hadOccasion(for: requirement, on: stack) { return .noOccasion }
        if met.contains(where: { hasRefused($0, on: stack) }) { return .refused }
        if requirement.isPlainTrustedCA, !lateRefusals(of: stack).isEmpty { return .refused }
        if isLeftOut(requirement) { return .leftOut }
        if isOwedLate(requirement, to: stack) { return .open }
        guard hadOccasion(for: requirement, on: stack) else { return .noOccasion }
        if met.contains(where: { $0.has(.reset, on: stack) }) {
            if resetting.contains(stack) { return .refused }
            // What closed in company only says nothing of how this client refuses.
            let tried = met.filter { $0.wasAttempted && $0.refusals[stack] != [.inCompany] }
            // Once may be a crash.
            let steady = tried.count >= max(2, coldStartsAsked) && tried.allSatisfy { $0.has(.reset, on: stack) }
            return steady && requirement.attack != .trustedCA ? .refused : .onlyReset
        }
        if met.contains(where: { $0.has(.inCompany, on: stack) }) {
            // An app that gives up where it finds nothing elsewhere has no use for what it had opened here.
            return requirement.emptiesOthers ? .noOccasion : .onlyInCompany
        }
        return met.contains { $0.has(.unidentified, on: stack) } ? .onlyUnidentified : .open
    }

    /// Every one of these stacks has refused it, or had no occasion to.
    func isSettled(_ requirement: Requirement, for stacks: some Sequence<String>) -> Bool {
        stacks.allSatisfy { [.refused, .noOccasion, .leftOut].contains(reaction(of: $0, to: requirement)) }
    }

    /// The CA may not sign this form for this host.
    func isLeftOut(_ requirement: Requirement) -> Bool {
        let met = meetings.filter { requirement.matches($0) && $0.sparedFirst == 0 }.flatMap(\.sightings)
        return !met.isEmpty && met.allSatisfy(\.observation.leftOut)
    }

    /// In a trial of `redirect`: it came after a client had been sent there.
    func wasSentOn(_ sighting: Sighting) -> Bool {
        redirections[sighting.trial].map { sighting.observation.at >= $0 } ?? false
    }

    func hasRefused(_ meeting: Meeting, on stack: String) -> Bool {
        // A server that will have no TLS may end a connection before it has said what stack it is of.
        let isUnread =
            meeting.reading.end == .any && meeting.has(.conclusive, on: "")
        guard meeting.sparesSome else { return isUnread || meeting.has(.conclusive, on: stack) }
        return meeting.graded.contains {
            $0.grade == .conclusive && $0.sighting.stack == stack
                && (!$0.sighting.answer.hasFinished || $0.sighting.outcome == .alert
                    || refusesAfterHandshake(stack) && wasNeeded(stack, in: meeting)
                    || wasNeededLate(stack, in: meeting))
        }
    }

    /// With the genuine server at hand, a spare connection is as likely as a refusal: one that was finished and not used
    /// counts only for a client that refuses so, where untouched it is used, and where no other one did its work.
    private func wasNeeded(_ stack: String, in meeting: Meeting) -> Bool {
        // In a start that goes on from an earlier one there may be connections that no other has.
        if AttackCatalogue.form(meeting.attack, meeting.variant)?.conduct.continuesState ?? false { return true }
        if let attacked = meeting.places, !places.isUsed(attacked, by: stack) { return false }
        // What is used each time was wanted this time as well, and its work may have been done by another one after that.
        if let attacked = meeting.places, places.isAlwaysUsed(attacked, by: stack, run: meeting.trial.run) {
            return true
        }
        return !sightings.contains {
            $0.trial == meeting.trial && $0.outcome == nil && $0.observation.requests > places.mostRequests
        }
    }

    private func refusesAfterHandshake(_ stack: String) -> Bool {
        trusted.contains { meeting in
            meeting.graded.contains {
                $0.grade == .conclusive && $0.sighting.stack == stack && $0.sighting.answer.hasFinished
            }
        }
    }
}
