import ArgumentParser
import Console
import Gate

/// `pinproof report`: other formats of a run that is over.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write reports of a run that is over.",
        usage: "pinproof report <run> [<options>]",
        discussion: """
            Reports are made from the evidence and the profile in the run folder. The exit status says only whether \
            they could be written.

            EXAMPLES
              pinproof report runs/20260101T000000Z-release --format html,sarif
              pinproof report runs/20260101T000000Z-release --format html --out public
            """)

    @Argument(help: "The run folder.")
    var run: String

    @Option(help: ArgumentHelp("Reports to write: of \(FormatList.known), or all.", valueName: "list"))
    var format = FormatList.standard

    @Option(help: ArgumentHelp("Where to. (default: the run folder)", valueName: "dir"))
    var out: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let formats = try format.formats()
        let judged = try JudgeSession(runs: [run], profile: nil).judged()
        for path in try judged.write(formats, to: out ?? run) { output.console.say("written: \(path)") }
    }
}
