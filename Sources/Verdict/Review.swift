import Facts
import Policy

/// All that the trials show of one host: what it did untouched, and under each attack.
struct Review {
    /// One whole passthrough trial.
    struct Untouched {
        let trial: TrialKey
        let wasAttempted: Bool
        /// It failed, rather than being ended by the gate while client and server were still at it.
        let hasFailed: Bool
        /// Stacks that carried data to the genuine host.
        let stacks: Set<String>
        let carriedData: Bool
    }

    /// How one stack stands to one attack.
    enum Standing { case refused, onlyInCompany, onlyReset, onlyUnidentified, open }

    let host: HostName
    var coldStartsAsked: Int
    let requirements: [Requirement]
    let sightings: [Sighting]
    let untouched: [Untouched]
    let meetings: [Meeting]
    /// The meetings under `trusted-ca`.
    let trusted: [Meeting]
    /// Cold starts under `trusted-ca` in which a refusal counts.
    let coldStarts: [Meeting]
    /// Stacks that carried genuine data to the host: each of them must be seen to refuse.
    let genuineStacks: Set<String>
    /// Stacks that end in an RST without a word in every cold start in which the host was tried: then it is how this
    /// client refuses.
    private let resetting: Set<String>

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
                hasFailed: carried.isEmpty && seen.contains { $0.isUntouchedAttempt && !$0.wasCutShort },
                stacks: Set(carried.map(\.stack)).subtracting([""]), carriedData: !carried.isEmpty)
        }
        meetings =
            expect == .accept
            ? whole.filter { !$0.isPassthrough }.map { Meeting($0, host, attack: .trustedCA) }
            : whole.filter { $0.attacks(host) }.map { Meeting($0, host, attack: $0.attack) }
        trusted = meetings.filter { $0.attack == .trustedCA }
        let tried = trusted.filter(\.wasAttempted)
        let resetting = tried.dropFirst().reduce(tried.first?.stacks(.reset) ?? []) {
            $0.intersection($1.stacks(.reset))
        }
        self.resetting = resetting
        coldStarts = trusted.filter { !Self.refusals(in: $0, resetting).isEmpty }
        genuineStacks = untouched.reduce(into: []) { $0.formUnion($1.stacks) }
    }

    var witnesses: [Sighting] { sightings.filter { $0.outcome == .data } }
    /// Untouched, it carried data at least once.
    var carriedGenuineData: Bool { untouched.contains(where: \.carriedData) }

    func genuineStacks(run: Int) -> Set<String> {
        untouched.filter { $0.trial.run == run }.reduce(into: []) { $0.formUnion($1.stacks) }
    }

    /// Stacks that were delivered `trusted-ca` and refused it, however little the refusal counts.
    var refusedStacks: Set<String> { trusted.reduce(into: []) { $0.formUnion($1.refusals.keys) } }

    /// Stacks whose refusal counts in this meeting under `trusted-ca`.
    func refusals(in start: Meeting) -> Set<String> { Self.refusals(in: start, resetting) }

    private static func refusals(in start: Meeting, _ resetting: Set<String>) -> Set<String> {
        start.stacks(.conclusive).union(start.stacks(.reset).intersection(resetting))
    }

    /// Refusals were seen that were an RST in one cold start, and something else, or nothing, in another.
    var hasUnsteadyResets: Bool {
        trusted.contains { meeting in
            meeting.stacks(.reset).contains { !meeting.has(.conclusive, on: $0) && !resetting.contains($0) }
        }
    }

    func standing(of stack: String, to requirement: Requirement) -> Standing {
        let met = meetings.filter(requirement.matches)
        if met.contains(where: { $0.has(.conclusive, on: stack) }) { return .refused }
        if met.contains(where: { $0.has(.reset, on: stack) }) {
            if resetting.contains(stack) { return .refused }
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
