import Authority
import Facts
import Pins
import Policy
import TLS

/// Which starts a rehearsal needs, by what it has seen so far.
struct RehearsalPlan: Sendable {
    let profile: Profile
    let chains: [RehearsedChain]
    let hasStandard: Bool
    /// Hosts that a backup key is lent for.
    let lentFor: Set<HostName>
    /// How often in a row a start that told nothing is made again.
    let retries: Int
    /// Days that the client's clock is set to.
    var clocks: [CalendarDate] = []

    /// Pinned hosts: those that the profile names, and of its patterns those that the app came to.
    func hosts(_ record: RehearsalRecord) -> [HostName] {
        let patterns = profile.rules.filter { $0.expect == .refuse }.map(\.pattern)
        let exact = patterns.filter { $0.scope == .exact }.map(\.base)
        let seen = Set(record.starts.lazy.flatMap(\.seen).compactMap(\.host)).filter { profile.role(of: $0) == .refuse }
        return exact + seen.subtracting(exact).sorted()
    }

    /// Those of the team's chains that are for a host; one that is for none of the hosts is rehearsed at all of them, as it
    /// would be deployed.
    func chains(for host: HostName, among hosts: [HostName]) -> [RehearsedChain] {
        chains.filter { chain in
            guard let leaf = chain.leaf else { return false }
            return leaf.isFor(host) || !hosts.contains { leaf.isFor($0) }
        }
    }

    /// In order; what comes later may hang on what was seen before.
    func steps(_ record: RehearsalRecord) -> [RehearsalStep] {
        let all = hosts(record)
        let working = all.filter { record.worked($0) }
        guard !working.isEmpty else { return [.untouched(isLast: false)] }
        var steps: [RehearsalStep] = [.untouched(isLast: false)]
        for host in working {
            steps.append(.unknownKey(host))
            let isLent = lentFor.contains(host)
            if isLent { steps.append(.lentKey(host)) }
            let refused = record.sight(.unknownKey(host)).wasRefused
            // Who looks at pins while the chain is verified does so before the signature: that shows without any key.
            let tellsEarly = record.complaintOfUnknownKey(host) != nil
            let took = isLent && record.sight(.lentKey(host)) == .accepted
            if refused, !took {
                if tellsEarly { steps.append(.genuineKey(host, isOver: false)) }
                if record.keySight(host) != .accepted { steps.append(.unknownCA(host)) }
                if hasStandard, record.keySight(host) == .accepted { steps.append(.genuineKey(host, isOver: true)) }
            }
            if hasStandard { steps.append(.lapse(host, withLentKey: took)) }
            for chain in chains(for: host, among: all) where chain.presented != nil && (chain.key != nil || tellsEarly)
            {
                steps.append(.chain(chain.name, host, isSigned: chain.key != nil))
            }
        }
        let controls = record.controls(profile)
        for day in clocks {
            for host in working where record.sight(.unknownKey(host)).wasRefused {
                let step = RehearsalStep.dayToCome(day, host, beside: controls, isSet: true)
                steps.append(step)
                // To know whether it looked at the clock at all.
                if record.sight(step).wasRefused { steps.append(.dayToCome(day, host, beside: controls, isSet: false)) }
            }
        }
        if !controls.isEmpty, working.contains(where: { record.sight(.unknownKey($0)).wasRefused }) {
            steps.append(.carelessControls(controls))
        }
        return steps + [.untouched(isLast: true)]
    }

    /// Whether a step has shown what it can.
    func isDone(_ step: RehearsalStep, _ record: RehearsalRecord) -> Bool {
        let starts = record.starts(of: step)
        guard !starts.isEmpty else { return false }
        if starts.count > retries + Self.refusalsWanted { return true }
        guard let host = step.host else {
            guard case .untouched(let isLast) = step else { return true }
            let hosts = hosts(record).filter { !isLast || record.worked($0) }
            let isMissing = hosts.contains { !record.worked($0, isLast: isLast) && isRequired($0) }
            return !isMissing || starts.count > retries
        }
        // It has to fail: what matters is what is said of it.
        if step.isUnsigned { return starts.contains { $0.complaint(host) != nil } || starts.count > retries }
        let told = starts.map { $0.sight(host) }.filter { !$0.isNothing }
        if told.isEmpty { return starts.count > retries }
        if told.contains(.accepted) { return true }
        // One that goes without a word may have had another reason.
        return told.contains { $0.refusal?.alert != nil } || told.count >= Self.refusalsWanted
            || starts.count > retries + 1
    }

    /// Starts that have to end without a word in the same way, before that is taken for an answer.
    private static let refusalsWanted = 2

    func isRequired(_ host: HostName) -> Bool { profile.rule(for: host)?.required ?? true }
}

/// Makes the starts of a rehearsal one after the other.
struct RehearsalScheduler: TrialScheduling {
    let plan: RehearsalPlan
    private(set) var ending = RunEnding()

    init(_ plan: RehearsalPlan) { self.plan = plan }

    mutating func next(after records: [EvidenceRecord]) -> ScheduledTrial? {
        let record = RehearsalRecord(records)
        let waiting = plan.steps(record).filter { !plan.isDone($0, record) }
        guard let step = waiting.first else { return nil }
        let last = record.starts.last
        let isAgain = last.map { step.isOf($0.start) && !record.starts(of: step).isEmpty } ?? false
        let toldNothing = step.host.map { last?.sight($0).isNothing ?? false } ?? true
        return ScheduledTrial(
            phase: step.phase, retryOf: isAgain && toldNothing ? last?.start.trial : nil,
            expectedTotal: record.starts.count + waiting.count)
    }
}
