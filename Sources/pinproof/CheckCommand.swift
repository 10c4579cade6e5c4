import ArgumentParser
import Console
import Gate
import Loop
import Report

/// `pinproof check`: whether the gate can work, in two cold starts.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "See in two cold starts whether the gate can work.",
        usage: "pinproof check <profile> [<options>] -- <command> [<argument> ...]",
        discussion: """
            Runs the command once untouched and once under the CA, and says whether the proxy is used, whether the CA is \
            trusted, whether each host is seen and its server verifies, and how long the whole gate takes.

            With --json the same is said to a script (docs/report.md). The exit status is 0 when the gate can work, 2 when something is to be done first, and 3 when a host cannot be \
            tested on this machine.

            EXAMPLES
              pinproof check release.yaml -- ./ui-test.sh
            """)

    @Argument(help: "The profile (YAML).")
    var profile: String

    @Option(help: ArgumentHelp("The run folder. (default: runs/<UTC time>-<profile name>)", valueName: "dir"))
    var out: String?

    @OptionGroup var start: StartOptions

    @Flag(help: "JSON on stdout, and nothing else there.")
    var json = false

    @OptionGroup var output: OutputOptions

    @Argument(parsing: .postTerminator, help: "One cold start of the client.")
    var command: [String] = []

    func validate() throws { try start.validate(having: command) }

    func run() async throws {
        var options = try start.options(profile, command)
        options.out = out
        options.course = .check
        let printer = ResultPrinter(console: output.console, json: json)
        throw ExitCode(try await FirstLookRun.run(options, printer).rawValue)
    }
}

/// `pinproof init`: a first profile, from what the app talks to.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a first profile from two cold starts.",
        usage: "pinproof init [--out <profile>] [<options>] -- <command> [<argument> ...]",
        discussion: """
            Runs the command once untouched and once with every host under the CA, and writes a commented profile: the hosts \
            that were seen, those that refuse the CA (candidates for `refuse`, with their genuine pins), and those that take \
            it (candidates for `controls`). It overwrites nothing.

            EXAMPLES
              pinproof init --out release.yaml -- ./ui-test.sh
            """)

    @Option(help: ArgumentHelp("Where to write it. (default: standard output)", valueName: "profile"))
    var out: String?

    @Option(help: ArgumentHelp("A root of an origin of your own (PEM or DER); repeatable.", valueName: "file"))
    var root: [String] = []

    @Option(help: ArgumentHelp("Where a name leads: NAME=HOST:PORT; repeatable.", valueName: "name=place"))
    var resolve: [String] = []

    @Option(help: ArgumentHelp("The run folder. (default: runs/<UTC time>-draft)", valueName: "dir"))
    var run: String?

    @OptionGroup var start: StartOptions
    @OptionGroup var output: OutputOptions

    @Argument(parsing: .postTerminator, help: "One cold start of the client.")
    var command: [String] = []

    func validate() throws {
        try start.validate(having: command)
        _ = try places()
    }

    private func places() throws -> [(name: String, place: String)] {
        try resolve.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw ValidationError(
                    "--resolve is NAME=HOST:PORT, such as api.example.com=127.0.0.1:8443; got: \(text)")
            }
            return (parts[0], parts[1])
        }
    }

    func run() async throws {
        var options = try start.options("", command)
        options.out = run
        options.course = .draft(to: out, DraftProfile.Ground(roots: root.map(Files.absolute), resolve: try places()))
        throw ExitCode(try await FirstLookRun.run(options, ResultPrinter(console: output.console)).rawValue)
    }
}

/// Runs the two starts, with signals as the gate takes them.
enum FirstLookRun {
    static func run(_ options: GateOptions, _ printer: ResultPrinter) async throws -> ExitStatus {
        let console = printer.console
        let interruption = Interruption()
        let running = RunningCommand()
        Wiring.tellOfLibevent(on: console) { running.kill() }
        let watch = SignalWatch { count in
            guard count == 1 else {
                running.kill()
                ProcessControl.endAtOnce(ExitStatus.killed.rawValue)
            }
            console.sayInPassing("ending with what is known; once more ends at once")
            Task { await interruption.request() }
        }
        defer { watch.stop() }
        let session = GateSession(
            options, printer: printer, interruption: interruption, selfTest: Wiring.selfTest,
            running: running)
        return try await session.run()
    }
}
