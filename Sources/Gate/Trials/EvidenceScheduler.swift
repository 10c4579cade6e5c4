import Facts
import Verdict

/// The verdict engine's scheduler as the runner asks it.
struct EvidenceScheduler: TrialScheduling {
    var scheduler: Scheduler

    mutating func next(after records: [EvidenceRecord]) -> ScheduledTrial? {
        let evidence = RunEvidence(records)
        guard let trial = scheduler.next(evidence: evidence) else { return nil }
        return ScheduledTrial(
            phase: trial.phase, sparedFirst: trial.sparedFirst, retryOf: scheduler.isRetry ? evidence.lastTrial : nil,
            expectedTotal: scheduler.expectedCount(evidence))
    }

    var ending: RunEnding { RunEnding(early: scheduler.early, leftOut: scheduler.leftOut) }
}
