import Facts
import Policy

/// Decides from the evidence so far what the next cold start is.
public protocol TrialScheduling: Sendable {
    /// nil when the run is complete.
    mutating func next(after records: [EvidenceRecord]) -> ScheduledTrial?
}

/// The next cold start, and how many the run will have as far as can be told now.
public struct ScheduledTrial: Sendable, Hashable {
    public var phase: Plan.Phase
    public var expectedTotal: Int

    public init(phase: Plan.Phase, expectedTotal: Int) {
        self.phase = phase
        self.expectedTotal = expectedTotal
    }
}

/// A cold start as people and evidence name it.
public struct NumberedTrial: Sendable, Hashable {
    /// From 1.
    public var number: Int
    public var expectedTotal: Int
    public var attack: AttackID
    public var variant: String?
    /// Attacked alone; empty: all that the profile names.
    public var only: [HostName]
    /// What is attacked, as the profile writes it; empty in passthrough.
    public var targets: [String]

    public init(_ scheduled: ScheduledTrial, number: Int, profile: Profile) {
        self.number = number
        // An estimate that was overtaken is no estimate.
        expectedTotal = max(scheduled.expectedTotal, number)
        switch scheduled.phase {
        case .passthrough, .debugging: (attack, variant, only, targets) = (.passthrough, nil, [], [])
        case .attack(let attack, let variant, let only):
            self.attack = attack.id
            self.variant = variant.name
            self.only = only.sorted()
            targets =
                only.isEmpty
                ? profile.rules.filter { $0.expect == .refuse }.map(\.pattern.description) : self.only.map(\.text)
        }
    }
}
