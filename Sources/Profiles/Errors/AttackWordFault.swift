import Facts

/// Why words choose no attacks; the command line and the profile report it alike.
package enum AttackWordFault: Error, Hashable, Sendable, CustomStringConvertible {
    case none
    case unknown(String, nearest: String?)

    package var message: String {
        switch self {
        case .none: "no attack is named"
        case .unknown(let word, _): "unknown attack \(quoted(word))"
        }
    }

    package var hints: [String] {
        let known = "known: \(AttackWords.known.joined(separator: ", "))"
        switch self {
        case .none: return ["leave attacks out for the standard set"]
        case .unknown(_, let nearest?): return ["did you mean \"\(nearest)\"?", known]
        case .unknown: return [known]
        }
    }

    package var description: String { message }
}

/// As the command line's: the profile's reader makes an error with a place of it.
extension AttackWordFault: ExplainedError {
    package var cause: ErrorCause { .commandLine }
    package var explanations: [Explanation] { [Explanation("--attacks: \(message)", hints: hints)] }
}
