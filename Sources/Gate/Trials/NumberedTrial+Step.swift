import Console

extension NumberedTrial {
    /// As the line of progress shows it.
    var step: ProgressStep {
        ProgressStep(
            number: number, expectedTotal: expectedTotal,
            name: (variant.map { "\(attack) (\($0))" } ?? attack.rawValue) + (retryOf == nil ? "" : ", again"),
            targets: targets)
    }
}
