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
    package var isComplete: Bool {
        for case .runEnded(let end) in records.lazy.map(\.record) { return !end.interrupted }
        return false
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
