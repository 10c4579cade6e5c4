import Facts
import Policy
import Verdict

/// What a host's verdict means for its expectation, whatever was expected.
enum Standing: Int, Comparable, CaseIterable {
    /// The host did the opposite: one witness is enough.
    case contradicted
    /// The environment cannot support a verdict.
    case invalid
    case unproven
    case met

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension HostVerdict {
    var standing: Standing {
        switch (expect, verdict) {
        case (_, .invalidEnvironment): .invalid
        case (.refuse, .provenPinned), (.accept, .accepted), (.tunnel, .tunnelled): .met
        case (.refuse, .notPinned), (.refuse, .accepted), (.accept, .refused): .contradicted
        // A word that does not belong to the expectation is never read as success.
        default: .unproven
        }
    }

    /// The bound of report.json: only where refusals were counted and nothing was accepted.
    var printedBound: Double? {
        guard expect == .refuse, verdict != .notPinned, let bound = acceptanceBound95 else { return nil }
        // An upper bound must not be rounded to 0: 1000 refusals do not prove that it never happens.
        return max(0.01, (bound * 100).rounded() / 100)
    }

    /// `"63%"`.
    var printedBoundPercent: String? { printedBound.map { "\(Int(($0 * 100).rounded()))%" } }
}

extension VerdictWord {
    /// For counting: `"3 hosts proven pinned"`.
    var phrase: String {
        switch self {
        case .provenPinned: "proven pinned"
        case .notPinned: "not pinned"
        case .refusedUnproven: "refused but unproven"
        case .accepted: "accepted as expected"
        case .refused: "refused against expectation"
        case .tunnelled: "tunnelled"
        case .notExercised: "not exercised"
        case .invalidEnvironment: "without a usable environment"
        }
    }
}
