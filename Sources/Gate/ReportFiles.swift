import Report

/// Writes reports beside one another, each whole or not at all.
enum ReportFiles {
    /// Returns the paths, in the order of the formats.
    @discardableResult
    static func write(
        _ formats: [ReportFormat], of input: ReportInput, to folder: String
    ) throws(GateError) -> [String] {
        var paths: [String] = []
        for format in formats {
            let path = "\(folder)/\(format.fileName)"
            try Files.writeAtomically(format.render(input), to: path)
            paths.append(path)
        }
        return paths
    }
}
