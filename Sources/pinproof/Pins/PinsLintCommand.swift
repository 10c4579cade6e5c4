import ArgumentParser
import Console
import Evidence
import Facts
import Loop
import PinTools
import Pins
import Proxy

/// Asking the servers of pinned hosts.
struct LiveOptions: ParsableArguments {
    @Option(help: ArgumentHelp("An HTTP proxy on the way to servers.", valueName: "url"))
    var through: String?

    @Option(help: ArgumentHelp("A file with roots of servers of your own; repeatable.", valueName: "file"))
    var roots: [String] = []

    @Option(help: ArgumentHelp("Where a host is called: NAME=HOST:PORT; repeatable.", valueName: "name=place"))
    var resolve: [String] = []

    func validate() throws {
        _ = try places()
        _ = try proxy()
    }

    private func places() throws -> [HostName: Endpoint] {
        try resolve.reduce(into: [:]) { places, text in
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let name = HostName(parts[0]), let place = Endpoint(parts[1]) else {
                throw ValidationError(
                    "--resolve is NAME=HOST:PORT, such as api.example.com=127.0.0.1:8443; got: \(text)")
            }
            places[name] = place
        }
    }

    /// What is typed comes before what the profiles among the files say.
    func servers(of files: [PinFile]) throws -> ServerWays {
        ServerWays(to: LiveChains.hosts(of: files), in: files, typed: try places())
    }

    func chains(of files: [PinFile], _ servers: ServerWays) async throws -> LiveChains.Outcome {
        await (try LiveChains(through: try proxy(), roots: roots, ways: servers.ways))
            .ask(LiveChains.hosts(of: files))
    }

    func proxy() throws -> UpstreamProxy? { try through.map { try UpstreamProxyArgument.proxy($0, of: "--through") } }

    /// `--resolve`, `--roots` and `--through` ask somebody, or are a mistake.
    func refuse(without option: String) throws {
        guard !resolve.isEmpty || !roots.isEmpty || through != nil else { return }
        throw ValidationError("--resolve, --roots and --through say how servers are asked: \(option)")
    }

    /// A place for a host that nobody asks is a slip of its name.
    func warn(_ files: [PinFile], _ console: Console) throws {
        for host in Set(try places().keys).subtracting(LiveChains.hosts(of: files)).sorted() {
            console.warn("warning: --resolve names \(host), which no file pins by name: it is not asked")
        }
    }
}

/// `pinproof pins lint FILE …`.
struct PinsLintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find what locks users out, or lets others in.",
        usage: "pinproof pins lint <file> ... [--json | --sarif | --junit] [--live] [<options>]",
        discussion: """
            Looks at configurations, source code, apps and profiles by the rules of docs/pins.md. The exit status is 0 \
            without an error, 1 with one, 3 when --live could not ask a server, and 65 when a file cannot be read or has \
            nothing in it that is known.

            EXAMPLES
              pinproof pins lint network_security_config.xml Info.plist
              pinproof pins lint release.yaml app.apk --live --sarif > pins.sarif
            """)

    @OptionGroup var input: PinFileArguments

    @Flag(help: "JSON on stdout, and nothing else there. (docs/pins.md)")
    var json = false

    @Flag(help: "SARIF 2.1.0 on stdout, as GitHub takes it.")
    var sarif = false

    @Flag(help: "JUnit on stdout.")
    var junit = false

    @Flag(help: "Ask the servers of pinned hosts what they show.")
    var live = false

    @Flag(help: "Say on which devices which ways lead to a root, and whether they meet a pin; with --live.")
    var devices = false

    @Option(help: ArgumentHelp("A host that the app talks to; repeatable. A profile's are known.", valueName: "host"))
    var host: [String] = []

    @Option(help: ArgumentHelp("The last day on which this version of the app is to work.", valueName: "yyyy-mm-dd"))
    var supportEnds: String?

    @OptionGroup var liveOptions: LiveOptions
    @OptionGroup var today: TodayOption
    @OptionGroup var output: OutputOptions

    private var lastDay: CalendarDate? {
        get throws {
            try supportEnds.map { text in
                guard let date = CalendarDate(text) else {
                    throw ValidationError("--support-ends is a day such as 2027-12-31; got: \(text)")
                }
                return date
            }
        }
    }

    func validate() throws {
        if [json, sarif, junit].filter(\.self).count > 1 {
            throw ValidationError("--json, --sarif and --junit exclude one another")
        }
        if !live { try liveOptions.refuse(without: "add --live") }
        if devices, !live { throw ValidationError("--devices wants to know what servers show: add --live") }
        _ = try lastDay
    }

    func run() async throws {
        let console = output.console
        let (files, rejected) = try PinFileSource.readToLint(input.files)
        var situation = LintSituation(
            today: try today.date, hosts: host.map { HostName($0)?.text ?? $0 }, supportEnds: try lastDay)
        situation.isDebuggable = files.contains { file in file.settings.contains { $0.kind == .debuggable } }
        var notes: [String] = []
        if live {
            try liveOptions.warn(files, console)
            let servers = try liveOptions.servers(of: files)
            notes = servers.notes
            let outcome = try await liveOptions.chains(of: files, servers)
            (situation.chains, situation.problems) = (outcome.chains, outcome.problems)
        }
        let problems = situation.problems
        for problem in problems { console.warn("warning: \(Printable.escaped(problem.line))") }
        if json || sarif || junit { for note in notes { console.say("note: \(note)") } }
        let findings = rejected + PinLint.findings(files, situation)
        if json {
            try console.result(bytes: LintJSON.bytes(findings, problems: problems))
        } else if sarif {
            try console.result(bytes: LintSARIF.bytes(findings, problems: problems, version: Version.pinproof))
        } else if junit {
            try console.result(LintJUnit.text(findings, files: input.files, problems: problems))
        } else {
            try console.result(Self.told(notes, console))
            try console.result(LintText.text(findings, files: input.files.count, width: output.columns ?? 100))
            if devices { try tellDevices(files, situation, console) }
        }
        if PinLint.worst(findings) == .error { throw ExitCode(ExitStatus.fail.rawValue) }
        if !problems.isEmpty { throw ExitCode(ExitStatus.invalid.rawValue) }
    }

    /// Notes before a text on stdout: on stderr cron would mail them each night. None where nobody wants to be told.
    static func told(_ notes: [String], _ console: Console) -> String {
        console.loudness >= .normal ? notes.map { "note: \($0)\n" }.joined() : ""
    }

    private func tellDevices(_ files: [PinFile], _ situation: LintSituation, _ console: Console) throws {
        for (host, chain) in situation.chains.sorted(by: { $0.key < $1.key }) {
            let pins = files.flatMap { PlatformRules.of($0) }.flatMap { $0.effective(for: host).pins }
            let report = DeviceReport(host: host, chain: chain, pins: pins, on: situation.today)
            try console.result("\n" + report.text(width: output.columns ?? 100))
        }
    }
}

/// `pinproof pins watch FILE …`.
struct PinsWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Say some days ahead what will happen to pins.",
        usage: "pinproof pins watch <file> ... [--days <n>] [--json] [--junit <file>]",
        discussion: """
            For a job that runs each night: asks the servers of pinned hosts, and knows of certificate authorities that \
            rotate or leave a root programme. The exit status is 0 when nothing is to be done within the days, 1 when \
            something is, 3 when a server could not be asked, and 65 when a file cannot be read.

            EXAMPLES
              pinproof pins watch release.yaml network_security_config.xml --days 30 --junit pins.xml
            """)

    @OptionGroup var input: PinFileArguments

    @Option(help: ArgumentHelp("How far ahead.", valueName: "n"))
    var days = 30

    @Flag(help: "JSON on stdout, and nothing else there. (docs/pins.md)")
    var json = false

    @Option(help: ArgumentHelp("Write JUnit there as well.", valueName: "file"))
    var junit: String?

    @Flag(help: "Ask no server.")
    var offline = false

    @OptionGroup var liveOptions: LiveOptions
    @OptionGroup var today: TodayOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if offline { try liveOptions.refuse(without: "leave out --offline") }
        guard 0...PinWatch.longest ~= days else {
            throw ValidationError("--days is 0 to \(PinWatch.longest), which is ten years; got: \(days)")
        }
    }

    func run() async throws {
        let console = output.console
        let files = try input.read()
        var situation = LintSituation(today: try today.date)
        var notes: [String] = []
        if files.contains(where: { $0.format == .profile }), files.allSatisfy({ $0.format == .profile }) {
            notes.append(
                "a profile does not say when an app's pins end: name the app's own files (network_security_config.xml, …) too"
            )
        }
        let servers = offline ? nil : try liveOptions.servers(of: files)
        notes += servers?.notes ?? []
        if let servers {
            try liveOptions.warn(files, console)
            let outcome = try await liveOptions.chains(of: files, servers)
            (situation.chains, situation.problems) = (outcome.chains, outcome.problems)
        }
        for problem in situation.problems { console.warn("warning: \(Printable.escaped(problem.line))") }
        let report = PinWatch.report(files, situation, within: days)
            .asking(
                servers?.ways ?? [:], of: files, roots: liveOptions.roots, proxy: try liveOptions.proxy()?.endpoint)
        if let junit { try Files.writeAtomically(Array(report.junit.utf8), to: junit) }
        if json {
            for note in notes { console.say("note: \(note)") }
            try console.result(bytes: report.json)
        } else {
            try console.result(PinsLintCommand.told(notes, console))
            try console.result(report.text(width: output.columns ?? 100))
        }
        if report.isDue { throw ExitCode(ExitStatus.fail.rawValue) }
        if !report.problems.isEmpty { throw ExitCode(ExitStatus.invalid.rawValue) }
    }
}
