import Facts

/// What the process ends with (docs/report.md, "Exit status").
package enum ExitStatus: Int32, Sendable, Hashable {
    case pass = 0
    case fail = 1
    case inconclusive = 2
    /// The environment cannot support a verdict.
    case invalid = 3
    /// The command line is wrong (`EX_USAGE`).
    case usage = 64
    /// A file that was handed in cannot be read as what it should be (`EX_DATAERR`).
    case data = 65
    /// The profile or the CA cannot be used (`EX_CONFIG`).
    case configuration = 78
    /// A second interruption ended it at once: 128 + SIGINT.
    case killed = 130
}

extension ExitStatus {
    package init(_ cause: ErrorCause) {
        self =
            switch cause {
            case .commandLine: .usage
            case .data: .data
            case .configuration: .configuration
            case .environment: .invalid
            }
    }
}
