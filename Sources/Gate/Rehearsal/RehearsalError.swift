import Facts

/// Why a profile cannot be rehearsed.
enum RehearsalError: ExplainedError, Hashable {
    /// It has no rule with `expect: refuse`.
    case nothingPinned(profile: String)
    /// It tells several clients apart: each would have pins of its own.
    case severalClients(profile: String)

    var cause: ErrorCause { .configuration }

    var explanations: [Explanation] {
        switch self {
        case .nothingPinned(let profile):
            [
                Explanation(
                    "\(profile): no host is pinned, so there is nothing to rehearse",
                    hints: ["give the pinned ones `expect: refuse`, and their pins"])
            ]
        case .severalClients(let profile):
            [
                Explanation(
                    "\(profile): a rehearsal is of one build, and this profile tells several clients apart",
                    hints: ["take `clients:` out, and rehearse one after the other"])
            ]
        }
    }
}
