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

            The exit status is 0 when the gate can work, 2 when something is to be done first, and 3 when a host cannot be \
            tested on this machine.

            EXAMPLES
              pinproof check release.yaml -- ./ui-test.sh
            """)

    @Argument(help: "The profile (YAML).")
    var profile: String

    @OptionGroup var start: StartOptions
    @OptionGroup var output: OutputOptions

    @Argument(parsing: .postTerminator, help: "One cold start of the client.")
    var command: [String] = []

    func validate() throws { try start.validate(command) }

    func run() async throws {
        var options = try start.options(profile, command)
        options.out = start.out
        options.course = .check
        throw ExitCode(try await FirstLookRun.run(options, on: output.console).rawValue)
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

    @OptionGroup var start: RunlessStartOptions
    @OptionGroup var output: OutputOptions

    @Argument(parsing: .postTerminator, help: "One cold start of the client.")
    var command: [String] = []

    func validate() throws {
        try start.start.validate(command)
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
        var options = try start.start.options("", command)
        options.out = start.run
        options.course = .draft(to: out, DraftProfile.Ground(roots: root.map(Files.absolute), resolve: try places()))
        throw ExitCode(try await FirstLookRun.run(options, on: output.console).rawValue)
    }
}

/// How the two starts are made.
struct FirstStartOptions: ParsableArguments {
    @OptionGroup var ca: CAOptions

    @Flag(name: .customLong("ephemeral-ca"), help: "A CA for this run alone; its keys are never written to disk.")
    var isEphemeral = false

    @Option(help: ArgumentHelp("Where the proxy listens; port 0 picks a free one.", valueName: "host:port"))
    var listen = "127.0.0.1:0"

    @Flag(help: "Leave the proxy variables of the command's environment alone.")
    var noProxyEnv = false

    @Option(
        help: ArgumentHelp(
            "Seconds one run of the command may take before its process group is ended.", valueName: "s"))
    var attemptTimeout = 60.0

    @Flag(help: "Note QUIC and direct TCP past the proxy (Linux, as root).")
    var watchNetwork = false

    func validate(_ command: [String]) throws {
        guard !command.isEmpty else { throw ValidationError("a command is needed, after --") }
        try Limits.check("--attempt-timeout", attemptTimeout)
        _ = try ListenArgument.endpoint(listen)
        _ = try ca.choice(isEphemeral: isEphemeral)
    }

    func options(_ profile: String, _ command: [String]) throws -> GateOptions {
        var options = GateOptions(profile: profile, listen: try ListenArgument.endpoint(listen))
        options.ca = try ca.choice(isEphemeral: isEphemeral)
        options.setsProxyVariables = !noProxyEnv
        options.attemptTimeout = attemptTimeout
        options.watchesNetwork = watchNetwork
        options.command = command
        return options
    }
}

/// The same, and where the run folder is to be.
struct StartOptions: ParsableArguments {
    @OptionGroup var start: FirstStartOptions

    @Option(help: ArgumentHelp("The run folder. (default: runs/<UTC time>-<profile name>)", valueName: "dir"))
    var out: String?

    func validate(_ command: [String]) throws { try start.validate(command) }

    func options(_ profile: String, _ command: [String]) throws -> GateOptions { try start.options(profile, command) }
}

/// The same for `init`, whose `--out` is the profile.
struct RunlessStartOptions: ParsableArguments {
    @OptionGroup var start: FirstStartOptions

    @Option(help: ArgumentHelp("The run folder. (default: runs/<UTC time>-draft)", valueName: "dir"))
    var run: String?
}

/// Runs the two starts, with signals as the gate takes them.
enum FirstLookRun {
    static func run(_ options: GateOptions, on console: Console) async throws -> ExitStatus {
        let interruption = Interruption()
        let running = RunningCommand()
        Wiring.tellOfLibevent(on: console) { running.kill() }
        let watch = SignalWatch { count in
            guard count == 1 else {
                running.kill()
                ProcessControl.endAtOnce(ExitStatus.killed.rawValue)
            }
            console.say("ending with what is known; once more ends at once")
            Task { await interruption.request() }
        }
        defer { watch.stop() }
        let session = GateSession(
            options, printer: ResultPrinter(console: console), interruption: interruption, selfTest: Wiring.selfTest,
            running: running)
        return try await session.run()
    }
}
