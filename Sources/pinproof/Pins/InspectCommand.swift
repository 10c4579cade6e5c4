import ArgumentParser
import Console
import Facts
import Loop
import PinTools
import Pins

/// `pinproof inspect APP`.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "See what an app that ships really declares.",
        usage: "pinproof inspect <app> [--json]",
        discussion: """
            Reads an APK, an app bundle or an IPA: its name and version, whether it can be debugged, its pins, what it \
            lets through in clear text, its own certificates, strings that look like pins, libraries that pin, and what \
            `pinproof pins lint` finds. The exit status is 0 without an error, 1 with one, and 65 when it is no app.

            EXAMPLES
              pinproof inspect app-release.apk
              pinproof inspect Shop.ipa --json
            """)

    @Argument(help: ArgumentHelp("An .apk, .aab or .ipa.", valueName: "app"))
    var app: String

    @Flag(help: "JSON on stdout, and nothing else there. (docs/pins.md)")
    var json = false

    @OptionGroup var today: TodayOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let found = try AppReader.read(app)
        let console = output.console
        let findings =
            PinFileSource.findings(of: found)
            + PinLint.findings(
                found.files, LintSituation(today: try today.date, isDebuggable: found.isDebuggable))
        let declared = PinImport(found.files)
        if json {
            let bytes = found.json(
                pins: { declared.writeHosts(to: &$0) },
                findings: { json in
                    json.beginArray()
                    for finding in findings { LintJSON.write(finding, to: &json) }
                    json.endArray()
                })
            try console.result(bytes: bytes + [10])
        } else {
            try console.result((found.text + [""]).joined(separator: "\n"))
            try console.result(
                "\n" + LintText.text(findings, files: found.files.count, width: output.columns ?? 100))
        }
        let isRejected = found.faults.contains { $0.fault.effect != .failsOpen }
        if isRejected || PinLint.worst(findings) == .error { throw ExitCode(ExitStatus.fail.rawValue) }
    }
}
