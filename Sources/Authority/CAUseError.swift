import Facts

/// What a CA cannot give, sound as it is; one that is not is a `CAError`.
package enum CAUseError: ExplainedError, Hashable {
    /// A host of the profile that the constrained CA may not sign for.
    case outsideScope(host: String, scope: [String], ca: String)
    case unknownExportFormat(String)

    package var cause: ErrorCause {
        switch self {
        case .outsideScope: .configuration
        case .unknownExportFormat: .commandLine
        }
    }

    package var explanations: [Explanation] {
        switch self {
        case .outsideScope(let host, let scope, let ca):
            [
                Explanation(
                    "\(ca): this CA may not sign for \(host)",
                    hints: [
                        "it is constrained to \(scope.joined(separator: ", "))",
                        "make one for this profile: pinproof ca init --only PROFILE --ca DIR",
                    ])
            ]
        case .unknownExportFormat(let name):
            [
                Explanation(
                    "--format: unknown form of a certificate \"\(name)\"",
                    hints: ["the forms are \(CAExportFormat.names), and all"])
            ]
        }
    }
}
