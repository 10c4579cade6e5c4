import Facts
import Policy

/// All that the trials show of one host: what it did untouched, and under each attack.
struct Review {
    /// One whole passthrough trial.
    struct Untouched {
        let trial: TrialKey
        let wasAttempted: Bool
        /// Stacks that carried data to the genuine host.
        let stacks: Set<String>
        let carriedData: Bool
    }

    /// How one stack stands to one attack.
    enum Standing { case refused, onlyInCompany, onlyReset, onlyUnidentified, open }

    let host: HostName
    var coldStartsAsked: Int
    var requirements: [Requirement]
    let sightings: [Sighting]
    let untouched: [Untouched]
    let meetings: [Meeting]

    init(_ file: CaseFile, _ host: HostName, expect: HostExpectation) {
        self.host = host
        coldStartsAsked = file.coldStarts
        requirements = Requirement.all(of: file.attacks)
        sightings = file.sightings(of: host)
        let whole = file.trials.filter(\.isComplete)
        untouched = whole.filter(\.isPassthrough).map { trial in
            let seen = trial.sightings[host] ?? []
            let carried = seen.filter { $0.carriedGenuineData && $0.isIdentified }
            return Untouched(
                trial: trial.key, wasAttempted: seen.contains(where: \.isUntouchedAttempt),
                stacks: Set(carried.map(\.stack)).subtracting([""]), carriedData: !carried.isEmpty)
        }
        meetings =
            expect == .accept
            ? whole.filter { !$0.isPassthrough }.map { Meeting($0, host, attack: .trustedCA) }
            : whole.filter { $0.attacks(host) }.map { Meeting($0, host, attack: $0.attack) }
    }

    var trusted: [Meeting] { meetings.filter { $0.attack == .trustedCA } }
    var witnesses: [Sighting] { sightings.filter { $0.outcome == .data } }
    /// Untouched, it carried data at least once.
    var carriedGenuineData: Bool { untouched.contains(where: \.carriedData) }

    /// Stacks that carried genuine data to the host: each of them must be seen to refuse.
    var genuineStacks: Set<String> { untouched.reduce(into: []) { $0.formUnion($1.stacks) } }

    func genuineStacks(run: Int) -> Set<String> {
        untouched.filter { $0.trial.run == run }.reduce(into: []) { $0.formUnion($1.stacks) }
    }

    /// Stacks that were delivered `trusted-ca` and refused it, however little the refusal counts.
    var refusedStacks: Set<String> { trusted.reduce(into: []) { $0.formUnion($1.refusals.keys) } }

    /// An RST without a word in every cold start in which the host was tried: then it is how this client refuses.
    func resetsAlways(_ stack: String) -> Bool {
        let tried = trusted.filter(\.wasAttempted)
        return !tried.isEmpty && tried.allSatisfy { $0.has(.reset, on: stack) }
    }

    /// Stacks whose refusal counts in this meeting under `trusted-ca`.
    func refusals(in start: Meeting) -> Set<String> {
        start.stacks(.conclusive).union(start.stacks(.reset).filter(resetsAlways))
    }

    /// Cold starts under `trusted-ca` in which a refusal counts.
    var coldStarts: [Meeting] { trusted.filter { !refusals(in: $0).isEmpty } }

    /// Refusals were seen that were an RST in one cold start, and something else, or nothing, in another.
    var hasUnsteadyResets: Bool {
        trusted.contains { meeting in
            meeting.stacks(.reset).contains { !meeting.has(.conclusive, on: $0) && !resetsAlways($0) }
        }
    }

    func standing(of stack: String, to requirement: Requirement) -> Standing {
        let met = meetings.filter(requirement.matches)
        if met.contains(where: { $0.has(.conclusive, on: stack) }) { return .refused }
        if met.contains(where: { $0.has(.reset, on: stack) }) {
            if resetsAlways(stack) { return .refused }
            let tried = met.filter(\.wasAttempted)
            let steady = tried.count >= coldStartsAsked && tried.allSatisfy { $0.has(.reset, on: stack) }
            return steady && requirement.attack != .trustedCA ? .refused : .onlyReset
        }
        if met.contains(where: { $0.has(.inCompany, on: stack) }) { return .onlyInCompany }
        return met.contains { $0.has(.unidentified, on: stack) } ? .onlyUnidentified : .open
    }

    /// Every stack of the host has refused it.
    func isSettled(_ requirement: Requirement) -> Bool {
        genuineStacks.allSatisfy { standing(of: $0, to: requirement) == .refused }
    }
}
