import Facts
import Policy

/// A host's connections by their place in a cold start (1, 2, …).
///
/// A place is counted by ClientHellos, as the proxy counts them. What untouched trials showed there tells a connection
/// that is used from a spare one, which a browser opens ahead and may never use: only what was used has to be refused.
/// It was used where the client sent something: some send, and are gone before anybody has answered.
struct LaterConnections {
    /// Of each untouched trial that carried data, its connections in their order.
    private let untouched: [[Sighting]]

    init(_ sightings: [Sighting], in trials: [Review.Untouched]) {
        let carrying = Set(trials.filter(\.carriedData).map(\.trial))
        let seen = sightings.filter { carrying.contains($0.trial) && $0.observation.hello != nil }
        untouched = Dictionary(grouping: seen, by: \.trial).values.map { $0.sorted(by: Self.inOrder) }
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

    /// The same, in all of them.
    func isAlwaysUsed(_ places: ClosedRange<Int>, by stack: String) -> Bool {
        !untouched.isEmpty && untouched.allSatisfy { uses($0, places, stack) }
    }

    private func uses(_ trial: [Sighting], _ places: ClosedRange<Int>, _ stack: String) -> Bool {
        trial.enumerated().contains { index, seen in
            places.contains(index + 1) && seen.stack == stack && seen.wasUsedUntouched
        }
    }

    /// How many connections come before the first of this stack, at the most; nil where it ever comes without another
    /// one's data before it.
    func countBefore(_ stack: String) -> Int? {
        var most: Int?
        for trial in untouched {
            guard let first = trial.firstIndex(where: { $0.stack == stack }) else { continue }
            guard trial[..<first].contains(where: { $0.carriedGenuineData && $0.stack != stack }) else { return nil }
            most = max(most ?? 0, first)
        }
        return most
    }

    /// The most requests that one connection carried untouched.
    var mostRequests: Int { untouched.joined().map(\.observation.requests).max() ?? 0 }

    /// Places that were used untouched, and that neither a form of the run attacks alone nor a follow-up has settled; nil where `trusted-ca` was seen to
    /// meet as many connections at once.
    func leftOut(in review: Review) -> ClosedRange<Int>? {
        guard review.laterConnection != nil else { return nil }
        let alone = review.requirements.compactMap { if case .only(let place) = $0.onset { place } else { nil } }
        // `second` attacks those after the first.
        var covered = max(2, alone.max() ?? 0)
        while covered < lastUsed, isSettled(covered + 1, in: review) { covered += 1 }
        guard lastUsed > covered, !review.trusted.contains(where: hasMetAll) else { return nil }
        return covered + 1...lastUsed
    }

    /// A form beyond those of the run attacks it alone, and every stack that uses it refused that.
    private func isSettled(_ place: Int, in review: Review) -> Bool {
        guard let attack = review.laterConnection, let forms = AttackCatalogue.attack(attack)?.variants,
            let form = forms.first(where: { $0.conduct.onset == .only(place) })
        else { return false }
        return review.isSettled(Requirement(attack: attack, variant: form.name), for: review.genuineStacks)
    }

    /// Under `trusted-ca` as many connections as untouched trials show were open beside each other, and each of them said in
    /// an alert what it thinks of the chain.
    ///
    /// One that was closed without a word may have been thrown away at another one's refusal, and one that came later may
    /// be the same one tried again.
    private func hasMetAll(_ start: Meeting) -> Bool {
        // What is opened after the first word about it may be a second try, however long the first one's socket is kept.
        let firstEnd = start.sightings.filter(\.wasDelivered).map(\.saidNo).min() ?? .infinity
        return start.sightings.count {
            $0.observation.at < firstEnd
                && ($0.answer.certificateAlert != nil || $0.outcome == .alert && !$0.answer.hasFinished)
        } >= lastUsed
    }
}

extension Review {
    /// The attack of the run that is about connections after the first; nil where it tries none.
    var laterConnection: AttackID? { requirements.first { $0.reading.occasion == .furtherConnection }?.attack }
}

extension Sighting {
    /// When the client said that it would not go on, or went.
    fileprivate var saidNo: Double { answer.alert.map { min(left, observation.at + $0.ms / 1000) } ?? left }

    /// The client sent something over it to the genuine server, answered or not.
    fileprivate var wasUsedUntouched: Bool {
        outcome == nil && observation.action == .tunnelled && (observation.passthroughData || observation.clientAsked)
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
