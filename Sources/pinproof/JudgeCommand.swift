import ArgumentParser
import Console
import Gate

/// `pinproof judge`: the same verdict again, from evidence alone.
struct JudgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Judge again from evidence; several runs are judged as one.",
        usage: "pinproof judge <run> ... [<options>]",
        discussion: """
            A run is a run folder or an evidence.jsonl. Verdicts and exit status are the gate's.

            EXAMPLES
              pinproof judge runs/20260101T000000Z-release
              pinproof judge shard-1 shard-2 shard-3 --profile release.yaml --out merged
              pinproof judge runs/release --evidence-from runs/without-pins
            """)

    @Argument(help: "Run folders, or evidence files.")
    var run: [String]

    @Option(help: ArgumentHelp("The profile. (default: the one that the first run folder keeps)", valueName: "profile"))
    var profile: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Evidence of another run as a trust control (S2b); repeatable.", valueName: "path"))
    var evidenceFrom: [String] = []

    @Option(help: ArgumentHelp("Also write reports into this folder.", valueName: "dir"))
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Reports for --out: of \(FormatList.known), or all. (default: \(FormatList.standard.text))",
            valueName: "list"))
    var format: [FormatList] = []

    @OptionGroup var baseline: BaselineOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        if !format.isEmpty, out == nil { throw ValidationError("--format needs --out, the folder to write to") }
    }

    func run() async throws {
        let formats = try (FormatList(format) ?? .standard).formats()
        let judged = try JudgeSession(
            runs: run, profile: profile, evidenceFrom: evidenceFrom, baseline: baseline.choice(out: out)
        ).judged()
        let console = output.console
        var delivery = Delivery()
        var written: [String] = []
        delivery.attempt { if let out { written = try judged.write(formats, to: out) } }
        delivery.attempt { try baseline.choice(out: out).keep(judged) }
        let shown = judged.shown(after: delivery)
        delivery.attempt { try result.printer(on: console).show(shown) }
        for path in written { console.say("written: \(path)") }
        throw ExitCode(delivery.status(of: judged.status, on: console).rawValue)
    }
}
