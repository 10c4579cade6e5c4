import ArgumentParser
import Console
import Facts
import Gate
import Loop
import PinTools
import Verdict
import Web

/// `pinproof gate`: the release gate.
struct GateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Run a client under every attack and judge each host.",
        usage: "pinproof gate <profile> [<options>] [-- <command> [<argument> ...]]",
        discussion: """
            The profile says which hosts must refuse an interceptor, which must work, and which stay untouched. \
            The command is one cold start of your client: a UI test, adb shell am instrument, xcodebuild test, curl. \
            It is run once per trial, with http_proxy, https_proxy and all_proxy set, and with

              PINPROOF_PROXY   the proxy's URL
              PINPROOF_CA      the root to trust (PEM)
              PINPROOF_PHASE   the attack, or passthrough
              PINPROOF_TRIAL   1, 2, ...
              PINPROOF_RUN     the run folder
              PINPROOF_STATE   a folder for what the app keeps, new in each trial (or --keep-state)
              PINPROOF_CLIENTS JSON with the proxy URL of each client, where the profile names clients

            Its exit status and output are kept and decide nothing: what crossed the proxy does. Without a command \
            the gate walks a person with a device through the phases, by Enter at a terminal or by time.

            EXAMPLES
              pinproof gate release.yaml -- ./ui-test.sh
              pinproof gate release.yaml --attacks quick -- sh -c '
                cat /etc/ssl/certs/ca-certificates.crt "$PINPROOF_CA" > trust.pem
                curl --cacert trust.pem https://api.example.com/'
              pinproof gate release.yaml --listen 0.0.0.0:8080 --phase-seconds 90
              pinproof gate release.yaml --ca ca/ci --json -- ./ui-test.sh > report.json

            The client has to trust its usual roots and the CA: untouched it meets the genuine certificate. curl's \
            --cacert replaces its roots, hence the file that holds both (ca/README.md has the same for other clients, \
            and other systems keep their roots elsewhere). Single quotes leave $PINPROOF_CA to the command: your own \
            shell has no such variable.

            The exit status is 0 when everything is proven, 1 when a host did the opposite, 2 when something is \
            unproven, 3 when the environment supports no verdict (pinproof --help has all).
            """)

    @Argument(help: "The profile (YAML).")
    var profile: String

    @Option(help: ArgumentHelp("The run folder. (default: runs/<UTC time>-<profile name>)", valueName: "dir"))
    var out: String?

    @OptionGroup var start: StartOptions

    @Flag(help: "Also serve clients from public addresses, which are refused otherwise.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "Runs under trusted-ca, which a proof rests on. (default: the profile's, else 3)", valueName: "n"))
    var coldStarts: Int?

    @Option(
        help: ArgumentHelp(
            "Without a command: seconds each phase lasts. (default: until Enter at a terminal, else 60)",
            valueName: "s"))
    var phaseSeconds: Double?

    @Flag(help: "Let every start of the command find one and the same PINPROOF_STATE, and what is in it.")
    var keepState = false

    @Option(
        help: ArgumentHelp(
            "Only these; all, standard and quick are sets. (default: the profile's, else standard, without a command quick)",
            valueName: "a,b,c"))
    var attacks: [String] = []

    @Option(
        help: ArgumentHelp(
            "How often in a row a trial is run again that told nothing, as the command failed or never came.",
            valueName: "n"))
    var retries = GateOptions.defaultTerms.retries

    @Option(
        help: ArgumentHelp(
            "This job's share of the plan, such as 2/4; pinproof judge joins the run folders of all.", valueName: "i/n")
    )
    var shard: String?

    @Flag(help: "Do not end early when the first trials show that the set-up cannot work.")
    var keepGoing = false

    @Flag(help: "Go on with the attacks on a host that is known not to be pinned.")
    var exhaustive = false

    @Option(
        help: ArgumentHelp(
            "Minutes for all trials: what does not fit is left out and named, and nothing is proven by it.",
            valueName: "m"))
    var maxMinutes: Double?

    @Option(help: ArgumentHelp("JSON with the proxy's URL, written once the port is bound.", valueName: "path"))
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            "Reports to write: of \(FormatList.known), or all. (default: \(FormatList.standard.text))",
            valueName: "list"
        ))
    var format: [FormatList] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Evidence of another run as a trust control (S2b); repeatable.", valueName: "path"))
    var evidenceFrom: [String] = []

    @Flag(help: "Print what would be run, and for what, and run nothing.")
    var plan = false

    @OptionGroup var labels: LabelOptions
    @OptionGroup var baseline: BaselineOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var result: ResultOptions

    @Argument(parsing: .postTerminator, help: "One cold start of the client.")
    var command: [String] = []

    func validate() throws {
        try Limits.check("--cold-starts", coldStarts, in: Limits.coldStarts)
        try Limits.check("--phase-seconds", phaseSeconds)
        try Limits.check("--retries", retries, in: Limits.retries)
        _ = try share()
        if plan, result.json {
            throw ValidationError(
                "--plan prints a table and runs nothing, and --json is the report of a run: leave one out")
        }
        guard maxMinutes.map({ $0 > 0 && $0 <= Limits.longest / 60 }) ?? true else {
            throw ValidationError("--max-minutes is above 0 and at most \(Int(Limits.longest / 60)) minutes")
        }
    }

    private func share() throws -> Shard? {
        guard let shard else { return nil }
        guard let share = Shard(shard) else {
            throw ValidationError("--shard is I/N, from 1/N to N/N with N up to \(Shard.most); got: \(shard)")
        }
        return share
    }

    func options() throws -> GateOptions {
        var options = try start.options(profile, command)
        options.isOpen = open
        options.out = out
        options.coldStarts = coldStarts
        options.phaseSeconds = phaseSeconds
        options.keepsState = keepState
        options.shard = try share()
        options.terms = Terms(
            retries: retries, keepsGoing: keepGoing, isExhaustive: exhaustive, seconds: maxMinutes.map { $0 * 60 })
        options.attacks =
            attacks.isEmpty
            ? nil : attacks.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        options.readyFile = readyFile
        options.formats = try (FormatList(format) ?? .standard).formats()
        options.evidenceFrom = evidenceFrom
        options.baseline = baseline.choice(out: out)
        options.labels = try labels.labels()
        options.artefacts = labels.artefact
        return options
    }

    func run() async throws {
        let options = try options()
        let console = output.console
        if plan {
            throw ExitCode(try OutlineSession(options, console: console, columns: output.columns).run().rawValue)
        }
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
        let input = LineInput()
        let enter: @Sendable () async -> Bool = { await input.next() }
        let session = GateSession(
            options, printer: result.printer(on: console), interruption: interruption, selfTest: Wiring.selfTest,
            running: running, enter: Terminal.hasInput ? enter : nil, site: { OnboardingSite($0).site },
            look: AppReader.look)
        throw ExitCode(try await session.run().rawValue)
    }
}
