import Facts

extension ReportError: ExplainedError {
    package var cause: ErrorCause { .commandLine }
    package var explanations: [Explanation] { [Explanation("--format: \(description)", hints: hints)] }
}
