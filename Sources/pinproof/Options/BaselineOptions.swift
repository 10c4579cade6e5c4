import ArgumentParser
import Gate

/// What is known already.
struct BaselineOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Known findings (JSON); warnings and errors that are not in it fail the run.", valueName: "file"))
    var baseline: String?

    @Option(help: ArgumentHelp("Write this run's findings as a baseline.", valueName: "file"))
    var writeBaseline: String?

    /// - Parameter out: where the command writes its reports.
    func choice(out: String?) -> BaselineChoice { BaselineChoice(read: baseline, write: writeBaseline, out: out) }
}
