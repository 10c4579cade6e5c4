import Facts
import Policy

/// Which trial comes next: the contract's order first, then what the evidence so far leaves open, passthrough last.
///
///     var scheduler = Scheduler(profile: profile, attacks: attacks, coldStarts: 3)
///     while let trial = scheduler.next(evidence: evidence) { run(trial) }
public struct Scheduler: Sendable {
    /// Trials beyond the plan: enough for a dozen hosts attacked one at a time, and an end for hosts that never settle.
    public static let followUpLimit = 256

    public let coldStarts: Int
    /// In the order in which they were handed out.
    public private(set) var done: [Trial] = []
    /// How many trials there will be, as far as can be told; grows when hosts have to be attacked alone.
    public private(set) var plannedCount: Int

    /// Lower in tests only.
    var limit = Self.followUpLimit

    private let profile: Profile
    private let attacks: [Attack]
    private let controls: [RunEvidence]
    private let plan: [Trial]

    /// - Parameter controls: other runs that may serve as S2b; where they do, no differential is needed.
    public init(profile: Profile, attacks: [Attack], coldStarts: Int, controls: [RunEvidence] = []) {
        self.profile = profile
        self.attacks = attacks
        self.coldStarts = max(1, coldStarts)
        self.controls = controls
        plan = Self.plan(attacks, max(1, coldStarts))
        plannedCount = plan.count + 1
    }

    /// nil when there is nothing left to learn. `evidence` is the run's so far, with every trial that was handed out.
    public mutating func next(evidence: RunEvidence) -> Trial? {
        let trial: Trial?
        if done.count < plan.count {
            trial = plan[done.count]
        } else {
            trial = followUp(evidence)
        }
        if let trial { done.append(trial) }
        plannedCount = max(plannedCount, done.count)
        return trial
    }

    /// P T U, a share of the others, P T and the next share, …; the last passthrough comes after the follow-ups.
    static func plan(_ attacks: [Attack], _ coldStarts: Int) -> [Trial] {
        let others = attacks.filter { $0.id != .trustedCA && $0.id != .untrustedCA }.flatMap { Trial.all(of: $0) }
        var plan: [Trial] = []
        for start in 0..<coldStarts {
            plan.append(.passthrough)
            plan += Trial.all(of: .trustedCA)
            if start == 0 { plan += Trial.all(of: .untrustedCA) }
            plan += others[others.count * start / coldStarts..<others.count * (start + 1) / coldStarts]
        }
        return plan
    }

    private mutating func followUp(_ evidence: RunEvidence) -> Trial? {
        let isOver = done.count - plan.count >= limit
        let wanted =
            isOver
            ? []
            : FollowUps(
                profile: profile, attacks: attacks, coldStarts: coldStarts, evidence: evidence, controls: controls
            ).wanted(done)
        guard let first = wanted.first else { return done.last == .passthrough ? nil : .passthrough }
        plannedCount = done.count + wanted.count + 1
        // Between two runs of trusted-ca the way to the host has to be seen open.
        guard first.id == .trustedCA, let trusted = done.lastIndex(where: { $0.id == .trustedCA }),
            !done[trusted...].contains(.passthrough)
        else { return first }
        // One of the others between two T, so that a differential has both orders.
        if done.last == first, let other = wanted.first(where: { $0.id != .trustedCA }) { return other }
        return .passthrough
    }
}
