import Facts
import Policy

/// Decides from the evidence so far what the next cold start is.
package protocol TrialScheduling: Sendable {
    /// nil when the run is complete.
    mutating func next(after records: [EvidenceRecord]) -> ScheduledTrial?

    /// How the run ended, once there is no further trial.
    var ending: RunEnding { get }
}

/// What a run that is over left of its plan.
package struct RunEnding: Sendable, Hashable {
    /// As in `RunEnd`.
    package var early: EarlyEnd?
    package var leftOut: [String] = []
}

/// The next cold start, and how many the run will have as far as can be told now.
package struct ScheduledTrial: Sendable, Hashable {
    package var phase: Plan.Phase
    /// As in `TrialStart`.
    package var sparedFirst: Int
    /// As in `TrialStart`.
    package var retryOf: Int?
    package var expectedTotal: Int

    package init(phase: Plan.Phase, sparedFirst: Int = 0, retryOf: Int? = nil, expectedTotal: Int) {
        self.phase = phase
        self.sparedFirst = sparedFirst
        self.retryOf = retryOf
        self.expectedTotal = expectedTotal
    }
}

/// A cold start as people and evidence name it.
package struct NumberedTrial: Sendable, Hashable {
    /// From 1.
    package var number: Int
    package var expectedTotal: Int
    package var attack: AttackID
    package var variant: String?
    /// Attacked alone; empty: all that the profile names.
    package var only: [HostName]
    /// Connections of a host that are left alone first, where the attack's own form attacks them.
    package var sparedFirst: Int
    /// The trial that it runs again.
    package var retryOf: Int?
    /// What it finds of the starts before it.
    package var beginning = Conduct.Beginning.anew
    /// The day that the client's clock is set to; nil: today.
    package var clock: CalendarDate?
    /// What is attacked, as the profile writes it; empty in passthrough.
    package var targets: [String]

    package init(_ scheduled: ScheduledTrial, number: Int, profile: Profile) {
        self.number = number
        retryOf = scheduled.retryOf
        // An estimate that was overtaken is no estimate.
        expectedTotal = max(scheduled.expectedTotal, number)
        switch scheduled.phase {
        case .passthrough, .debugging: (attack, variant, only, sparedFirst, targets) = (.passthrough, nil, [], 0, [])
        case .attack(let attack, let variant, let only):
            self.attack = attack.id
            self.variant = variant.name
            self.only = only.sorted()
            sparedFirst = scheduled.sparedFirst
            beginning = variant.conduct.beginning
            clock = variant.conduct.clock
            targets =
                only.isEmpty
                ? profile.rules.filter { $0.expect == .refuse }.map(\.pattern.description) : self.only.map(\.text)
        }
    }
}
