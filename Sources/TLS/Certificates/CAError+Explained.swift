import Facts

extension CAError: ExplainedError {
    package var cause: ErrorCause { .configuration }
    package var explanations: [Explanation] { [Explanation(message, hints: hint.map { [$0] } ?? [])] }
}
