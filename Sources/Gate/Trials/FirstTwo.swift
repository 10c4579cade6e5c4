import Facts
import Verdict

/// The two starts that `check` and `init` rest on: an untouched one and one under the CA.
struct FirstTwo: TrialScheduling {
    var inner: EvidenceScheduler

    static let count = 2

    mutating func next(after records: [EvidenceRecord]) -> ScheduledTrial? {
        guard var trial = inner.next(after: records), inner.scheduler.done.count <= Self.count else { return nil }
        trial.expectedTotal = RunEvidence(records).trialCount + 1 + Self.count - inner.scheduler.done.count
        return trial
    }

    var ending: RunEnding { inner.ending }
}
