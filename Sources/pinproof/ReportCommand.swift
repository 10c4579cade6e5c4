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
            they could be written. With --against they also say what changed since another run; without --format \
            that alone is printed, and no file is written.

            EXAMPLES
              pinproof report runs/20260101T000000Z-release --format html,sarif
              pinproof report runs/20260101T000000Z-release --format html --out public
              pinproof report runs/20260108T000000Z-release --against runs/20260101T000000Z-release
            """)

    @Argument(help: "The run folder.")
    var run: String

    @Option(
        help: ArgumentHelp(
            "Reports to write: of \(FormatList.known), or all. (default: \(FormatList.standard.text))",
            valueName: "list"))
    var format: [FormatList] = []

    @Option(help: ArgumentHelp("Where to. (default: the run folder)", valueName: "dir"))
    var out: String?

    @Option(help: ArgumentHelp("An earlier run: print what changed since, and put it into reports.", valueName: "run"))
    var against: String?

    @Flag(help: "No colours. (NO_COLOR=1 does the same)")
    var noColor = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let formats = try (FormatList(format) ?? (against == nil ? .standard : nil))?.formats() ?? []
        let console = output.console
        var judged = try JudgeSession(runs: [run], profile: nil).judged()
        var delivery = Delivery()
        if let against {
            let comparison = judged.compare(with: try JudgeSession(runs: [against], profile: nil).judged())
            let printer = ResultPrinter(
                console: console, color: !noColor && Terminal.hasColor, unicode: Terminal.hasUnicode,
                columns: ResultOptions.columns)
            delivery.attempt { try printer.show(comparison) }
        }
        delivery.attempt {
            for path in try judged.write(formats, to: out ?? run) { console.say("written: \(path)") }
        }
        throw ExitCode(delivery.status(of: .pass, on: console).rawValue)
    }
}
