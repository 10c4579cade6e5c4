/// What comes of an app at one chain, and how that is known.
package struct Rehearsed: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        case works
        case lockedOut = "locked-out"
        case unclear
    }

    /// What the outcome rests on.
    package enum Basis: String, Hashable, Sendable {
        /// The app was shown this very chain, or one that differs in nothing that matters.
        case seen
        /// The profile's pins, and that the app was seen to fit them.
        case pins
        /// The roots that the profile says the app trusts.
        case anchors
        case none
    }

    package var name: String
    package var outcome: Outcome
    package var basis: Basis
    /// A sentence or two, in lower case and without a full stop.
    package var why: String
    /// One of the team's own chains: it decides the exit status.
    package var isOwn: Bool

    /// Whether its pins hold then; nil where that is not the question.
    package var isProtected: Bool?

    package init(
        _ name: String, _ outcome: Outcome, _ basis: Basis, _ why: String, isOwn: Bool = false, isProtected: Bool? = nil
    ) {
        self.isProtected = isProtected
        self.name = name
        self.outcome = outcome
        self.basis = basis
        self.why = why
        self.isOwn = isOwn
    }
}
