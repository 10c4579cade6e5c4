import Console
import Embedded
import Facts
import Loop
import Report
import TLS
import Verdict

/// The whole story in under a minute: one app in four builds, each through the real gate.
///
/// The origin is an own one.
package struct Demo: Sendable {
    private let printer: ResultPrinter
    private let interruption: Interruption
    private let selfTest: GateSession.SelfTest
    /// curl's path, or nil to use this program as the client.
    private let curl: String?
    /// This program, for machines without curl.
    private let program: String

    package init(
        printer: ResultPrinter, interruption: Interruption, selfTest: @escaping GateSession.SelfTest, curl: String?,
        program: String
    ) {
        self.printer = printer
        self.interruption = interruption
        self.selfTest = selfTest
        self.curl = curl
        self.program = program
    }

    private var console: Console { printer.console }

    /// `passed` when every build got the verdict that its story demands.
    package func run() async throws -> ExitStatus {
        try DescriptorLimit.require(DescriptorNeed.gate(listeners: 1, hasOrigin: true))
        let started = MonotonicClock.now
        let origin = try EmbeddedOrigin(now: WallClock.now)
        let folder = try makeFolder(origin)
        try console.result(
            """
            pinproof demo: one app in four builds, each through the gate
            the app is \(curl.map { "curl (\($0))" } ?? "this program's own small client, as there is no curl"), \
            the origin is embedded; nothing leaves this machine


            """)
        var isAsTold = true
        for build in DemoBuild.all {
            guard let host = try await judge(build, origin, folder) else { return .inconclusive }
            try console.result(lines(for: host, build))
            isAsTold = isAsTold && host.verdict == build.verdict
        }
        let seconds = Int((MonotonicClock.now - started).rounded(.up))
        let name = Files.relative(folder)
        try console.result(
            """
            \(isAsTold ? "four builds, four verdicts" : "not the verdicts that this story must have") (\(seconds) s)

            to look at  \(name)/app.sh          the app that was examined
                        \(name)/pinned.yaml     its profile
                        \(name)/pinned/         its run: evidence, presented chains, reports
            next        write a profile of your own (profiles/release-gate.yaml is a start), then
                        pinproof gate profile.yaml -- ./your-ui-test.sh

            """)
        return isAsTold ? .pass : .invalid
    }

    /// nil when it was interrupted.
    private func judge(_ build: DemoBuild, _ origin: EmbeddedOrigin, _ folder: String) async throws -> HostVerdict? {
        guard let anywhere = Endpoint("127.0.0.1:0") else { preconditionFailure("a constant that parses") }
        var options = GateOptions(profile: "\(folder)/\(build.name).yaml", listen: anywhere)
        options.out = "\(folder)/\(build.name)"
        options.ca = .ephemeral
        options.coldStarts = 1
        options.formats = [.json, .markdown, .html]
        options.command = ["/bin/sh", "\(folder)/app.sh", build.name]
        let quiet = Console(loudness: .quiet, isTerminal: false, errors: { _ in }, results: { _ in })
        console.status("\(build.title) …")
        _ = try await GateSession(
            options, printer: ResultPrinter(console: quiet), interruption: interruption, selfTest: selfTest
        ).run()
        console.clearStatus()
        if await interruption.isRequested { return nil }
        // From the evidence that lies on disk, as anybody could judge it again.
        let judged = try JudgeSession(runs: ["\(folder)/\(build.name)"], profile: nil).judged()
        return judged.input.judgement.hosts.first
    }

    private func makeFolder(_ origin: EmbeddedOrigin) throws(FileError) -> String {
        let parent = Files.absolute("runs")
        try Files.makeFolders(parent)
        let stem = "\(parent)/\(UTCTime(unix: WallClock.now).compact)-demo"
        var folder = stem
        // Two demos in the same second are two demos.
        var number = 2
        while try !Files.makeNewFolder(folder) {
            folder = "\(stem)-\(number)"
            number += 1
        }
        try Files.writeAtomically(origin.root.pem.utf8, to: "\(folder)/origin-root.pem")
        for build in DemoBuild.all {
            try Files.writeAtomically(
                build.profile(origin: origin.address.endpoint).utf8, to: "\(folder)/\(build.name).yaml")
        }
        let fetch =
            curl.map { "'\($0)' --silent --show-error --max-time 10 --output /dev/null" } ?? "'\(program)' demo-client"
        try Files.writeAtomically(
            DemoBuild.script(pin: "sha256//\(origin.pin.base64)", fetch: fetch).utf8, to: "\(folder)/app.sh")
        return folder
    }

    /// `✓ proven-pinned     release build, pinned`, and below it why.
    private func lines(for host: HostVerdict, _ build: DemoBuild) -> String {
        let (mark, color) =
            switch host.verdict {
            case .provenPinned, .accepted, .tunnelled: (printer.unicode ? "✓" : "+", "32")
            case .notPinned, .refused: (printer.unicode ? "✗" : "x", "31")
            default: ("?", "33")
            }
        let verdict = "\(mark) \(host.verdict.rawValue)".padded(to: 20)
        let painted = printer.color ? "\u{1b}[\(color)m\(verdict)\u{1b}[0m" : verdict
        let unexpected = host.verdict == build.verdict ? "" : "   (should be \(build.verdict.rawValue))"
        let told = "\(build.expect) expected; \(Printable.escaped(host.why))"
        let width = max(30, min(78, printer.columns - 20))
        let lines = TerminalText(unicode: printer.unicode).wrap(told, width)
        let why = lines.map { $0.indented(by: 20) + "\n" }.joined()
        return "\(painted)\(build.title)\(unexpected)\n\(why)\n"
    }
}
