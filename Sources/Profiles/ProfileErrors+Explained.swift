import Facts

extension ProfileErrors: ExplainedError {
    package var cause: ErrorCause { .configuration }

    package var explanations: [Explanation] {
        let shown = errors.prefix(Self.shownAtMost).map { error in
            Explanation("\(error.path)\(error.place.map { ":\($0)" } ?? ""): \(error.message)", hints: error.hints)
        }
        let more = errors.count - shown.count
        let path = errors.first?.path ?? "profile"
        return shown + (more > 0 ? [Explanation("\(path): and \(more) more")] : [])
    }
}

/// As the command line's: the profile's reader makes an error with a place of it.
extension AttackWordFault: ExplainedError {
    package var cause: ErrorCause { .commandLine }
    package var explanations: [Explanation] { [Explanation("--attacks: \(message)", hints: hints)] }
}
