/// An error that a person can be told: what happened, and what to do about it.
///
/// Each module words its own. The exit status that goes with them is the console's business.
package protocol ExplainedError: Error, CustomStringConvertible {
    var cause: ErrorCause { get }
    /// One for each thing that is wrong; seldom more than one.
    var explanations: [Explanation] { get }
}

/// Whom an error sends back to work.
package enum ErrorCause: Sendable, Hashable {
    /// What was typed.
    case commandLine
    /// A file that was handed in: it is none of the kind that is wanted, or is damaged.
    case data
    /// The profile, or the CA.
    case configuration
    /// Everything that the machine and the network would have to provide.
    case environment
}

/// One thing that is wrong: lower case, no full stop, and hints on lines of their own.
package struct Explanation: Hashable, Sendable {
    package var message: String
    package var hints: [String]

    package init(_ message: String, hints: [String] = []) {
        self.message = message
        self.hints = hints
    }
}

extension ExplainedError {
    /// The messages alone, for a line of evidence.
    package var description: String { explanations.map(\.message).joined(separator: "; ") }
}
