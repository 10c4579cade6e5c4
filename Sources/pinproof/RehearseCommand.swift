import ArgumentParser
import Console
import Gate
import Loop
import PinTools
import Pins

/// `pinproof rehearse`: which chains to come lock this build out.
struct RehearseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "See which chains that you are about to deploy lock this build out.",
        usage:
            "pinproof rehearse <profile> [--with <name>=<chain>[,<key>]] ... [--standard] [<options>] -- <command> [<argument> ...]",
        discussion: """
            For every pinned host of the profile (expect: refuse) the command is started once untouched, and once for each \
            chain, behind a server that shows it. A chain that is given with its key is shown as it is: what the app makes of \
            it is seen. Of all others nobody here has the key: their outcome follows from the profile's pins and from what \
            the app was seen to enforce, and the report says so, or it is unclear.

            --build names other versions of the app, by files that declare their pins: the timeline says which of them break when.

            --standard adds what happens to every chain sooner or later: renewed-same-key, renewed-new-key, \
            other-intermediate, other-root, rsa-to-ec, lapsed-leaf, and backup-key where the profile lends one.

            EXAMPLES
              pinproof rehearse release.yaml --standard -- ./ui-test.sh
              pinproof rehearse release.yaml --with next=next.pem,next.key --label version=1.2.3 -- ./ui-test.sh
              pinproof rehearse release.yaml --with next=next.pem --html rehearsal.html -- ./ui-test.sh

            The client has to trust its usual roots and the CA, as for the gate (pinproof gate --help says how).

            The exit status is 0 when every chain of your own works, 1 when one locks users out, 2 when one is unclear, and \
            3 when the environment supports no answer.
            """)

    @Argument(help: "The profile (YAML).")
    var profile: String

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A chain that you are about to deploy (PEM, the server's own certificate first), and its key; repeatable.",
            valueName: "name=chain[,key]"))
    var with: [String] = []

    @Flag(help: "Also rehearse what happens to every chain sooner or later.")
    var standard = false

    @Option(
        help: ArgumentHelp(
            "Which certificates the app compares its pins with: any, leaf, issuers, or both. (default: not known)",
            valueName: "which"))
    var compares: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Set the client's clock to this day, to see whether its pins still hold (libfaketime, or PINPROOF_CLOCK); repeatable.",
            valueName: "yyyy-mm-dd"))
    var clock: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Another version of the app for the timeline, by a file that declares its pins (an .apk or .ipa, a configuration, a profile); repeatable.",
            valueName: "name=file"))
    var build: [String] = []

    @Option(help: ArgumentHelp("Write the report as a page, too.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("The run folder. (default: runs/<UTC time>-<profile name>)", valueName: "dir"))
    var out: String?

    @Option(
        help: ArgumentHelp(
            "How often in a row a start is made again that told nothing, as the command failed or never came.",
            valueName: "n"))
    var retries = GateOptions.defaultTerms.retries

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Says of what the rehearsal is (version, commit, device); repeatable.", valueName: "name=value"))
    var label: [String] = []

    @OptionGroup var start: StartOptions

    @Flag(help: "JSON on stdout, and nothing else there.")
    var json = false

    @OptionGroup var output: OutputOptions

    @Argument(parsing: .postTerminator, help: "One cold start of the client.")
    var command: [String] = []

    func validate() throws {
        try start.validate(having: command)
        try Limits.check("--retries", retries, in: Limits.retries)
        guard standard || !with.isEmpty || !clock.isEmpty else {
            throw ValidationError("there is nothing to rehearse: give a chain (--with), --standard, or a day (--clock)")
        }
        if let html {
            let folder = html.lastIndex(of: "/").map { String(html[...$0]) } ?? "."
            guard Files.isFolder(folder), !Files.isFolder(html) else {
                throw ValidationError("--html \(html): it is a folder, or is to lie in one that is not there")
            }
        }
        _ = try rehearsal()
        _ = try buildFiles()
        _ = try labels()
    }

    private func rehearsal() throws -> RehearsalOptions {
        do throws(RehearsalOptions.Chain.Fault) {
            let chains = try RehearsalOptions.Chain.parse(with) { Files.exists($0) }
            return RehearsalOptions(
                chains: chains, hasStandard: standard, scope: try scope(),
                clocks: try RehearsalOptions.clocks(clock, now: WallClock.now), html: html)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private func buildFiles() throws -> [RehearsalOptions.BuildFiles] {
        do throws(RehearsalOptions.Chain.Fault) { return try RehearsalOptions.builds(build) } catch {
            throw ValidationError("\(error)")
        }
    }

    private func scope() throws(RehearsalOptions.Chain.Fault) -> PinScope? {
        guard let compares else { return nil }
        guard let scope = PinScope(rawValue: compares) else { throw .badScope(compares) }
        return scope
    }

    private func labels() throws -> [String: String] {
        do throws(RunLabels.Fault) { return try RunLabels.parse(label) } catch {
            throw ValidationError(error.description)
        }
    }

    func run() async throws {
        var options = try start.options(profile, command)
        options.out = out
        options.labels = try labels()
        options.terms.retries = retries
        var rehearsal = try rehearsal()
        rehearsal.builds = try buildFiles().map {
            ComparedBuild(name: $0.name, files: try PinFileSource.read($0.files))
        }
        options.course = .rehearsal(rehearsal)
        let printer = ResultPrinter(console: output.console, json: json, unicode: Terminal.hasUnicode)
        throw ExitCode(try await FirstLookRun.run(options, printer).rawValue)
    }
}
