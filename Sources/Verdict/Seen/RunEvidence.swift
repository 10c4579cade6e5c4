import Facts

/// The evidence of one run, whole or cut short; trial numbers count within it.
package struct RunEvidence: Hashable, Sendable {
    package var records: [NumberedRecord]

    package init(records: [NumberedRecord]) { self.records = records }

    /// Numbers the records from 1, as they stand in the file.
    package init(_ records: [EvidenceRecord]) {
        self.records = records.enumerated().map { NumberedRecord(line: $0.offset + 1, $0.element) }
    }

    package var header: RunHeader? {
        for case .header(let header) in records.lazy.map(\.record) { return header }
        return nil
    }

    /// It came to its end by itself: the gate's last line is there and speaks of no interruption.
    package var isComplete: Bool { end.map { !$0.interrupted } ?? false }

    /// nil where the run was killed.
    package var end: RunEnd? {
        for case .runEnded(let end) in records.lazy.reversed().map(\.record) { return end }
        return nil
    }

    /// The number of the last trial that began; nil before the first.
    package var lastTrial: Int? {
        for case .trialStarted(let start) in records.lazy.reversed().map(\.record) { return start.trial }
        return nil
    }

    /// How many began.
    package var trialCount: Int {
        records.count { if case .trialStarted = $0.record { true } else { false } }
    }

    /// One trial alone, and what is the run's.
    func only(trial: Int) -> RunEvidence {
        RunEvidence(records: records.filter { $0.record.trial.map { $0 == trial } ?? true })
    }

    /// Without the trials that a later one repeats, and what was seen in them.
    var withoutRetried: RunEvidence {
        var retried: Set<Int> = []
        for case .trialStarted(let start) in records.lazy.map(\.record) { start.retryOf.map { _ = retried.insert($0) } }
        guard !retried.isEmpty else { return self }
        return RunEvidence(records: records.filter { !($0.record.trial.map(retried.contains) ?? false) })
    }

    /// Why this run supports no verdict at all; nil when it does.
    package var fault: String? {
        guard header != nil else { return "the evidence has no header: it is cut, or not a run's" }
        var tested = false
        for record in records.lazy.map(\.record) {
            if case .selfTest(let test) = record {
                tested = true
                if !test.passed {
                    let problems = test.problems.isEmpty ? "" : ": " + test.problems.joined(separator: "; ")
                    return "the self-test failed" + problems
                }
            }
            if case .runEnded(let end) = record, let fault = end.fault { return fault }
        }
        return tested ? nil : "no self-test is in the evidence"
    }
}

extension EvidenceRecord {
    /// The trial that it is of; nil for what is the run's.
    fileprivate var trial: Int? {
        switch self {
        case .trialStarted(let start): start.trial
        case .trialEnded(let end): end.trial
        case .connection(let seen): seen.observation.trial
        case .flow(let flow): flow.trial
        case .networkWatched(let watched): watched.trial
        case .header, .selfTest, .origin, .runEnded: nil
        }
    }
}
