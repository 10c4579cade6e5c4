import Facts
import Policy

/// How much a run tries, beside what its plan is.
package struct Terms: Hashable, Sendable {
    /// A trial that told nothing, because COMMAND failed or never came, is run again so often in a row.
    package var retries = 0
    /// Goes through the plan even where the first trials show that nothing can be settled.
    package var keepsGoing = true
    /// Goes on with the attacks on hosts that have their witness.
    package var isExhaustive = true
    /// Seconds that the trials may take in all, counted from the first one's begin; nil: as long as it takes.
    package var seconds: Double?

    package init(retries: Int = 0, keepsGoing: Bool = true, isExhaustive: Bool = true, seconds: Double? = nil) {
        self.retries = retries
        self.keepsGoing = keepsGoing
        self.isExhaustive = isExhaustive
        self.seconds = seconds
    }
}

extension Scheduler {
    /// The trial, or the last passthrough where there is time for that alone; nil where there is none.
    mutating func inTime(_ trial: Trial?, _ evidence: RunEvidence) -> Trial? {
        guard let seconds = terms.seconds, let trial, let pace = Pace(evidence) else { return trial }
        let left = seconds - pace.spent
        if left >= 2 * pace.each || left >= pace.each && trial == .passthrough { return trial }
        leaveOut(trial)
        return left >= pace.each && done.last != .passthrough ? .passthrough : nil
    }
}

/// How fast a run goes.
struct Pace {
    /// Seconds since the first trial began.
    let spent: Double
    /// Seconds of a trial, on the average.
    let each: Double

    /// nil before the first trial is over.
    init?(_ evidence: RunEvidence) {
        var (first, last) = (Double?.none, Double?.none)
        var count = 0
        for record in evidence.records.lazy.map(\.record) {
            if case .trialStarted(let start) = record { first = first ?? start.at }
            if case .trialEnded(let end) = record { (last, count) = (end.at, count + 1) }
        }
        guard let first, let last, count > 0 else { return nil }
        // A clock that was set back says nothing.
        spent = max(0, last - first)
        each = spent / Double(count)
    }
}

extension Trial {
    /// Where `trusted-ca` was taken, data under this says that more than a pin is missing.
    var tellsSubtype: Bool {
        guard let attack, let variant, sparedFirst == 0,
            variant.name == attack.variants.first?.name || variant.isTakenForGenuine
        else { return false }
        return attack.weakness(under: variant.name) == .brokenTLS || variant.isTakenForGenuine
    }

    /// As evidence and plans name it.
    var name: String {
        guard let attack, let variant else { return id.rawValue }
        return attack.name(of: variant)
    }
}
