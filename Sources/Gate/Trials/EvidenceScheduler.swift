import Facts
import Verdict

/// The verdict engine's scheduler as the runner asks it.
struct EvidenceScheduler: TrialScheduling {
    var scheduler: Scheduler

    mutating func next(after records: [EvidenceRecord]) -> ScheduledTrial? {
        guard let trial = scheduler.next(evidence: RunEvidence(records)) else { return nil }
        return ScheduledTrial(
            phase: trial.phase, sparedFirst: trial.sparedFirst, expectedTotal: scheduler.plannedCount)
    }
}
