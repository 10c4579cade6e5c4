import Facts
import Policy

/// A host's connections by their place in a cold start (1, 2, …).
///
/// A place is counted by ClientHellos, as the proxy counts them. What untouched trials showed there tells a connection
/// that is used from a spare one, which a browser opens ahead and may never use: only what was used has to be refused.
/// It was used where the client sent something: some send, and are gone before anybody has answered.
struct LaterConnections {
    /// Of each untouched trial that carried data, its connections in their order; by the journey that they are of.
    private let journeys: [Int: [[Sighting]]]
    private let untouched: [[Sighting]]
    private let journey: [Int]

    /// - Parameter journey: of each run, as `CaseFile.journeys` has it.
    init(_ sightings: [Sighting], in trials: [Review.Untouched], journey: [Int] = []) {
        let carrying = Set(trials.filter(\.carriedData).map(\.trial))
        let seen = sightings.filter { carrying.contains($0.trial) && $0.hasHello }
        let trials = seen.byTrial().sorted { $0.key < $1.key }
            .map { (run: $0.key.run, seen: $0.value.sorted(by: Self.inOrder)) }
        untouched = trials.map(\.seen)
        self.journey = journey
        journeys = trials.reduce(into: [:]) { $0[Self.journey(of: $1.run, journey), default: []].append($1.seen) }
    }

    private static func inOrder(_ a: Sighting, _ b: Sighting) -> Bool {
        (a.observation.helloAt, a.observation.connection) < (b.observation.helloAt, b.observation.connection)
    }

    /// The most connections of an untouched trial.
    var most: Int { untouched.map(\.count).max() ?? 0 }

    /// The last place at which the client sent data in any untouched trial.
    var lastUsed: Int { untouched.compactMap { $0.lastIndex(where: \.wasUsedUntouched) }.max().map { $0 + 1 } ?? 0 }

    /// The stack sent data there in some untouched trial.
    func isUsed(_ places: ClosedRange<Int>, by stack: String) -> Bool { untouched.contains { uses($0, places, stack) } }

    private static func journey(of run: Int, _ journey: [Int]) -> Int {
        journey.indices.contains(run) ? journey[run] : run
    }

    /// The same, in all of some journey: that another one does without says nothing of it.
    func isAlwaysUsed(_ places: ClosedRange<Int>, by stack: String) -> Bool { areAlwaysUsed([places], by: stack) }

    /// The same of several at once.
    func areAlwaysUsed(_ all: [ClosedRange<Int>], by stack: String) -> Bool {
        journeys.values.contains { areAlwaysUsed(all, by: stack, in: $0) }
    }

    /// In all of the journey that this run is of.
    func isAlwaysUsed(_ places: ClosedRange<Int>, by stack: String, run: Int) -> Bool {
        journeys[Self.journey(of: run, journey)].map { areAlwaysUsed([places], by: stack, in: $0) } ?? false
    }

    private func areAlwaysUsed(_ all: [ClosedRange<Int>], by stack: String, in trials: [[Sighting]]) -> Bool {
        trials.allSatisfy { trial in all.allSatisfy { uses(trial, $0, stack) } }
    }

    /// Of how many untouched trials the stack sent data there as on a further connection: another one of the trial had been
    /// used before it, and it is no second try. What comes in the place of one that failed before it is a second try of
    /// that, one for each, and the first to be used is what every attack meets.
    func furtherUses(_ places: ClosedRange<Int>, by stack: String) -> Int {
        untouched.count { trial in
            var failures = 0
            var isFirst = true
            for (index, seen) in trial.enumerated() {
                if seen.hasFailedUntouched { failures += 1 }
                guard seen.wasUsedUntouched else { continue }
                let isFurther = !isFirst && failures == 0
                isFirst = false
                failures = max(0, failures - 1)
                // Asked, and left by a server that mostly answers there.
                if seen.wasLeftUntouched, isAnswered(index, by: seen.stack) { failures += 1 }
                if isFurther, places.contains(index + 1), seen.stack == stack { return true }
            }
            return false
        }
    }

    private func isAnswered(_ index: Int, by stack: String) -> Bool {
        untouched.contains {
            $0.indices.contains(index) && $0[index].stack == stack && $0[index].observation.passthroughData
        }
    }

    /// The stacks that sent data there in some untouched trial, answered or not.
    func stacks(at place: Int) -> Set<String> {
        Set(
            untouched.compactMap { trial in
                guard trial.indices.contains(place - 1), trial[place - 1].wasUsedUntouched else { return nil }
                return trial[place - 1].stack
            })
    }

    /// Untouched trials that carried data.
    var count: Int { untouched.count }

    private func uses(_ trial: [Sighting], _ places: ClosedRange<Int>, _ stack: String) -> Bool {
        trial.enumerated().contains { index, seen in
            places.contains(index + 1) && seen.stack == stack && seen.wasUsedUntouched
        }
    }

    /// How many connections come before the first of this stack, the number that most trials show first; nil where it ever
    /// comes without another one's data before it.
    func countsBefore(_ stack: String) -> [Int]? {
        var counts: [Int: Int] = [:]
        for trial in untouched {
            guard let first = trial.firstIndex(where: { $0.stack == stack }) else { continue }
            guard trial[..<first].contains(where: { $0.carriedGenuineData && $0.stack != stack }) else { return nil }
            counts[first, default: 0] += 1
        }
        guard !counts.isEmpty else { return nil }
        return counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map(\.key)
    }

    /// In how many untouched trials the stack came at all.
    func appearances(of stack: String) -> Int {
        untouched.count { trial in trial.contains { $0.stack == stack } }
    }

    /// The most requests that one connection carried untouched.
    var mostRequests: Int { untouched.joined().map(\.observation.requests).max() ?? 0 }

    /// Places that were used untouched, and that neither a form of the run attacks alone nor a follow-up has settled. Of those
    /// for which there is no form, none where `trusted-ca` was seen to meet as many connections at once.
    func leftOut(in review: Review) -> ClosedRange<Int>? {
        guard review.laterConnection != nil else { return nil }
        // A form that attacks it with something else as well stands beside the plain one.
        let alone = review.requirements.compactMap { requirement -> Int? in
            guard case .only(let place) = requirement.onset, requirement == review.formAlone(place) else { return nil }
            return place
        }
        // `second` attacks those after the first.
        var covered = max(2, alone.max() ?? 0)
        while covered < lastUsed, isSettled(covered + 1, in: review) { covered += 1 }
        guard lastUsed > covered, !isBeyondAll(covered + 1, in: review) else { return nil }
        return covered + 1...lastUsed
    }

    /// There is no form for the last that is used, and as many were refused at once: those from this place on among them.
    private func isBeyondAll(_ first: Int, in review: Review) -> Bool {
        review.formAlone(lastUsed) == nil && areMetBeside(first...lastUsed, in: review)
    }

    /// A form beyond those of the run attacked it alone, and every stack that uses it refused that.
    func isSettled(_ place: Int, in review: Review) -> Bool {
        let stacks = stacks(at: place)
        // What nobody uses has nothing to show.
        guard !stacks.isEmpty else { return true }
        guard let form = review.formAlone(place), review.wasMet(form) else { return false }
        return review.isSettled(form, for: review.genuineStacks.union(stacks))
    }

    /// Some cold start was seen to refuse so many connections as come up to the last of these places that is used; and
    /// untouched those come as soon after the first one as they did there: they are the same ones.
    func areMetBeside(_ places: ClosedRange<Int>, in review: Review) -> Bool {
        let last = min(places.upperBound, lastUsed)
        guard let within = review.trusted.compactMap({ hasMet($0, last) }).max() else { return false }
        return untouched.allSatisfy { trial in
            trial.enumerated().allSatisfy { index, seen in
                !places.contains(index + 1) || !seen.wasUsedUntouched
                    || seen.observation.helloAt - (trial.first?.observation.helloAt ?? 0) <= within
            }
        }
    }

    /// Under `trusted-ca` so many connections were open beside each other, and each of them said in an alert what it thinks
    /// of the chain: for how long from the first hello they had come, in seconds.
    ///
    /// One that was closed without a word may have been thrown away at another one's refusal, and one that came later may
    /// be the same one tried again.
    private func hasMet(_ start: Meeting, _ count: Int) -> Double? {
        // What is opened after the first word about it may be a second try, however long the first one's socket is kept.
        let firstEnd = start.sightings.filter(\.wasDelivered).map(\.saidNo).min() ?? .infinity
        let met = start.sightings.filter {
            $0.observation.at < firstEnd
                && ($0.answer.certificateAlert != nil || $0.outcome == .alert && !$0.answer.hasFinished)
        }
        guard met.count >= count, let first = met.map(\.observation.helloAt).min() else { return nil }
        return firstEnd - first
    }
}

extension Review {
    /// The attack of the run that is about connections after the first; nil where it tries none.
    var laterConnection: AttackID? { requirements.first { $0.reading.occasion == .furtherConnection }?.attack }

    /// The form that attacks this connection alone, whether it is one of the run's or not; nil where there is none.
    func formAlone(_ place: Int) -> Requirement? {
        guard let attack = laterConnection else { return nil }
        let forms = AttackCatalogue.attack(attack)?.variants ?? []
        return forms.first { $0.conduct.onset == .only(place) }.map { Requirement(attack: attack, variant: $0.name) }
    }
}

extension Sighting {
    /// When the client said that it would not go on, or went.
    var saidNo: Double { answer.alert.map { min(left, observation.at + $0.ms / 1000) } ?? left }

    /// The client sent something over it to the genuine server, answered or not.
    fileprivate var wasUsedUntouched: Bool {
        outcome == nil && observation.action == .tunnelled && (observation.passthroughData || observation.clientAsked)
    }

    /// The client sent something over it, and the genuine server, or what lies before it, ended it without an answer.
    fileprivate var wasLeftUntouched: Bool {
        guard wasUsedUntouched, !observation.passthroughData else { return false }
        return observation.close?.by == .origin || observation.upstream?.error != nil
    }

    /// Nothing was sent over it to the genuine server, and not because the client had no use for it.
    fileprivate var hasFailedUntouched: Bool {
        guard outcome == nil, !wasUsedUntouched else { return false }
        return observation.error != nil || observation.upstream?.error != nil || !observation.serverAnswered
            || observation.close?.by == .origin || answer.alert != nil
    }
}

extension Observation {
    /// When its ClientHello had come, Unix seconds: what the proxy counts by. A connection may be opened long before.
    var helloAt: Double { at + (helloMS ?? 0) / 1000 }
}

extension Requirement {
    /// Which connections are attacked; of a form that this version does not know, all.
    var onset: Conduct.Onset { AttackCatalogue.form(attack, variant)?.conduct.onset ?? .atOnce }

    /// The places that are attacked; nil where they are not told by their number.
    var places: ClosedRange<Int>? { onset.places }
}

extension Conduct.Onset {
    fileprivate var places: ClosedRange<Int>? {
        switch self {
        case .only(let place): place...place
        // What evidence says is any number.
        case .afterConnections(let count): count < 0 || count == .max ? nil : count + 1...Int.max
        default: nil
        }
    }
}

extension Meeting {
    var onset: Conduct.Onset {
        sparedFirst > 0
            ? .afterConnections(sparedFirst) : AttackCatalogue.form(attack, variant)?.conduct.onset ?? .atOnce
    }

    /// Some connections were left alone, so that one which was not used may be a spare one.
    var sparesSome: Bool { reading.occasion == .furtherConnection || onset != .atOnce }

    /// The places that were attacked; nil where they are not told by their number.
    var places: ClosedRange<Int>? { onset.places }
}
