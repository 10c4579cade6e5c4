import Facts
import Policy

/// Whether all that `proven-pinned` needs is there; if not, what is missing.
///
/// docs/verdicts.md has the words ("What `missing` asks for").
///
/// Written as a list of demands, each of which adds what it misses: forgetting one would be a false proof, so
/// every demand has a test that takes just its evidence away.
struct Proof {
    let review: Review
    let controls: TrustControls
    let missing: [Missing]
    /// nil unless nothing is missing.
    let strength: Strength?
    /// Cold starts with a refusal that counts.
    let coldStarts: [Meeting]

    /// - Parameter faults: findings; errors among them that nobody waived are missing from a proof.
    init(_ file: CaseFile, _ review: Review, _ controls: TrustControls, faults: [Finding] = []) {
        self.review = review
        self.controls = controls
        coldStarts = review.coldStarts
        let rated = coldStarts.map { (start: $0, strength: controls.strength(of: $0)) }
        var missing: [Missing] = []
        // What a person should hear of first comes first.
        if file.isOfDebuggable { missing.append(.releaseBuild) }
        missing += Self.ambiguities(review, faults)
        missing += faults.filter { $0.isBlocking || NetworkFindings.isGap($0) }.map { .finding($0.id) }
        missing += Self.trust(file, review, controls, rated)
        if Self.lateStrengths(review, controls).contains(nil) { missing.append(.trustControl) }
        missing += Self.coldStarts(review, coldStarts)
        missing += Self.brackets(review)
        missing += Self.stacks(review, coldStarts)
        if file.isReachedUntouchedByAddress(review.host) { missing.append(.hostIdentity) }
        missing += Self.attacks(review)
        if !file.isComplete { missing.append(.run) }
        if file.starts.imbalance(among: file.trials) != nil { missing.append(.steadyStarts) }
        if !file.leftOut.isEmpty { missing.append(.time) }
        var seen: Set<Missing> = []
        self.missing = missing.filter { seen.insert($0).inserted }
        let isProven = self.missing.isEmpty
        strength = isProven ? Self.weakest(Self.strength(review, rated), Self.lateStrengths(review, controls)) : nil
    }

    /// N cold starts, each with a refusal, none of which resumed an older session.
    private static func coldStarts(_ review: Review, _ starts: [Meeting]) -> [Missing] {
        starts.count < review.coldStartsAsked || !review.warmStarts.isEmpty ? [.coldStarts] : []
    }

    /// A trust control in N cold starts; in as many of each run that has a refusal as that run was to make, or in all of its own if
    /// these are fewer; and for every stack that refused there: that one device trusts the CA says nothing of another.
    private static func trust(
        _ file: CaseFile, _ review: Review, _ controls: TrustControls, _ rated: [(start: Meeting, strength: Strength?)]
    ) -> [Missing] {
        let runs = Set(review.meetings.filter { !$0.refusals.isEmpty }.map(\.trial.run))
        let isShown = runs.allSatisfy { run in
            let rated = rated.filter { $0.start.trial.run == run }
            let controlled = rated.filter { $0.strength != nil }.map(\.start)
            let (late, lateControlled) = lateStacks(review, controls, run: run)
            let refused = rated.reduce(into: late) { $0.formUnion(review.refusals(in: $1.start)) }
            let covered = controlled.reduce(into: lateControlled) { $0.formUnion(review.refusals(in: $1)) }
            let asked = file.runs.count > 1 ? file.runs[run].header?.coldStarts : nil
            return controlled.count >= min(max(1, asked ?? review.coldStartsAsked), max(1, rated.count))
                && refused.isSubset(of: covered)
        }
        let enough = rated.count { $0.strength != nil } >= min(review.coldStartsAsked, max(1, rated.count))
        return isShown && enough && !runs.isEmpty ? [] : [.trustControl]
    }

    /// Late stacks that refused in this run, and those among them that have a control in a trial in which they did.
    private static func lateStacks(
        _ review: Review, _ controls: TrustControls, run: Int
    ) -> (refused: Set<String>, controlled: Set<String>) {
        var (refused, controlled): (Set<String>, Set<String>) = ([], [])
        for stack in review.lateStacks {
            let trials = review.lateRefusals(of: stack).filter { $0.trial.run == run }
            if !trials.isEmpty { refused.insert(stack) }
            if trials.contains(where: { controls.strength(of: stack, in: $0) != nil }) { controlled.insert(stack) }
        }
        return (refused, controlled)
    }

    /// Genuine traffic before, between and after: an outage must not look like a refusal.
    private static func brackets(_ review: Review) -> [Missing] {
        var missing: [Missing] = []
        // A refusal of any attack counts, so all of them are bracketed.
        let refusals = review.meetings.filter { !$0.refusals.isEmpty }.map(\.trial)
        for run in Set(refusals.map(\.run)).sorted() {
            let untouched = review.untouched.filter { $0.trial.run == run }
            let carried = untouched.filter(\.carriedData).map(\.trial)
            let within = refusals.filter { $0.run == run }
            guard let first = within.min(), let last = within.max() else { continue }
            if !carried.contains(where: { $0 < first }) { missing.append(.passthroughBefore) }
            // What failed before the first that worked, and before all refusals, is no outage among them.
            let open = carried.first.flatMap { $0 < first ? $0 : nil }
            let failed = untouched.filter { $0.wasAttempted && !$0.carriedData }.map(\.trial)
            if failed.contains(where: { trial in open.map { trial > $0 } ?? true }) {
                missing.append(.passthroughBetween)
            }
            if !carried.contains(where: { $0 > last }) { missing.append(.passthroughAfter) }
        }
        return missing
    }

    /// What refused must be what works untouched, and the other way round.
    private static func stacks(_ review: Review, _ starts: [Meeting]) -> [Missing] {
        var missing: [Missing] = []
        for meeting in review.trusted {
            let refused = Set(meeting.refusals.filter { $0.value != [.unidentified] }.keys)
                .subtracting(review.outspokenStacks)
            if !review.genuineStacks(run: meeting.trial.run).isSuperset(of: refused) {
                missing.append(.sameStackPassthrough)
            }
        }
        let counted = starts.reduce(into: review.lateRefused) { $0.formUnion(review.refusals(in: $1)) }
        // A stack that works untouched and never met the attack may be the unpinned one.
        if !review.genuineStacks.isSubset(of: counted) || review.genuineStacks.isEmpty {
            missing.append(contentsOf: unmet(Requirement(attack: .trustedCA, variant: nil), review))
        }
        return missing
    }

    /// Every attack of the run, in each of its variants, was refused by every stack.
    private static func attacks(_ review: Review) -> [Missing] {
        let open =
            review.requirements.flatMap { unmet($0, review) }
            + review.requirements.filter { requirement in
                review.genuineStacks.contains { review.isOpenBehindAnother(requirement, $0) }
            }.map { .attack($0.name) }
        guard review.places.leftOut(in: review) != nil, let later = review.laterConnection else { return open }
        return open + [.attack(later)]
    }

    private static func unmet(_ requirement: Requirement, _ review: Review) -> [Missing] {
        guard !review.genuineStacks.isEmpty else { return [.sameStackPassthrough] }
        return review.genuineStacks.sorted().compactMap { stack in
            switch review.reaction(of: stack, to: requirement) {
            case .refused, .noOccasion: nil
            case .leftOut: hasRefusedOtherForm(requirement, stack, review) ? nil : .attack(requirement.name)
            case .onlyInCompany: .attackedAlone
            case .onlyReset: .consistentRefusal
            case .onlyUnidentified: .hostIdentity
            case .open: .attack(requirement.name)
            }
        }
    }

    /// What a CA may not sign for a host is no lack where the attack could be tried in another form.
    private static func hasRefusedOtherForm(_ requirement: Requirement, _ stack: String, _ review: Review) -> Bool {
        review.requirements.contains {
            $0.attack == requirement.attack && review.reaction(of: stack, to: $0) == .refused
        }
    }

    private static func ambiguities(_ review: Review, _ faults: [Finding]) -> [Missing] {
        var missing: [Missing] = []
        // Under a key that it pins a client may well keep a connection.
        let idle = review.sightings.filter { $0.outcome == .idle && !$0.isUnderLentKey }
        if !idle.isEmpty { missing.append(.idleConnections) }
        if review.hasUnsteadyResets { missing.append(.consistentRefusal) }
        let isWaived = faults.contains { $0.id == "leak-after-refusal" && $0.severity == .error && !$0.isBlocking }
        if !review.cleartextFallback.isEmpty, !isWaived { missing.append(.attack(AttackCatalogue.cleartextFallback)) }
        return missing
    }

    /// The greatest strength that N cold starts and every stack have; the weakest of all where no single one does.
    private static func strength(_ review: Review, _ rated: [(start: Meeting, strength: Strength?)]) -> Strength? {
        let levels = Set(rated.compactMap(\.strength)).sorted { $0.rank > $1.rank }
        for level in levels {
            let starts = rated.filter { ($0.strength?.rank ?? -1) >= level.rank }.map(\.start)
            let covered = starts.reduce(into: review.lateRefused) { $0.formUnion(review.refusals(in: $1)) }
            if starts.count >= review.coldStartsAsked, review.genuineStacks.isSubset(of: covered) { return level }
        }
        return levels.last
    }

    /// The best control of each stack that comes only after another one's data, in a trial in which it refused.
    private static func lateStrengths(_ review: Review, _ controls: TrustControls) -> [Strength?] {
        review.lateRefused.sorted().map { stack in
            review.lateRefusals(of: stack).compactMap { controls.strength(of: stack, in: $0) }.max { $0.rank < $1.rank }
        }
    }

    private static func weakest(_ strength: Strength?, _ others: [Strength?]) -> Strength? {
        others.compactMap(\.self).reduce(strength) { weakest, one in
            weakest.map { $0.rank < one.rank ? $0 : one } ?? one
        }
    }
}

extension Review {
    /// See the property of this name.
    ///
    /// A ping that is always in the clear hides no fallback: one that comes beside it is one connection more, and one in its
    /// place has more to say.
    static func cleartextFallback(
        _ sightings: [Sighting], _ untouched: [Untouched], _ meetings: [Meeting]
    ) -> [Sighting] {
        let plain = sightings.filter(\.wentInTheClear).byTrial()
        let bytes = { (seen: [Sighting]) in seen.reduce(0) { $0 + Double($1.observation.bytesUp) } }
        let usual = untouched.map { plain[$0.trial] ?? [] }
        let (most, mostBytes) = (usual.map(\.count).max() ?? 0, usual.map(bytes).max() ?? 0)
        return meetings.flatMap { meeting -> [Sighting] in
            let seen = plain[meeting.trial] ?? []
            return seen.count > most || bytes(seen) > 2 * mostBytes ? seen : []
        }
    }
}
