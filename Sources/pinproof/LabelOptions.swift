import ArgumentParser
import Gate

/// What a run is of, for its reports.
struct LabelOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Says of what the run is (build, commit, device), in every report; repeatable.", valueName: "name=value"))
    var label: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "The app that is tested: its name, version, size and SHA-256 are in every report, and one that can be debugged is never proven; repeatable.",
            valueName: "file"))
    var artefact: [String] = []

    func validate() throws { _ = try labels() }

    /// By name.
    func labels() throws -> [String: String] {
        do throws(RunLabels.Fault) { return try RunLabels.parse(label) } catch {
            throw ValidationError(error.description)
        }
    }
}
