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

    var choice: BaselineChoice { BaselineChoice(read: baseline, write: writeBaseline) }
}
