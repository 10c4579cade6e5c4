import ArgumentParser
import Console
import Facts
import Inspector
import Loop

/// `pinproof doctor`: what is in the way of a debug session.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is in the way of a debug session, and what to do about it.",
        discussion: """
            Asks whether the proxy is reached, who trusts its CA (each client that is installed fetches a page of the \
            proxy), whether the clocks agree, where the shell's proxy variables lead, and what the last day's flows tell: \
            refusals, QUIC, another interceptor. Asks nobody outside, and needs no root.

            EXAMPLES
              pinproof doctor
              pinproof doctor --proxy 192.168.1.5:8080 --json

            EXIT STATUS
              0   nothing is wrong; there may be notes
              1   something is wrong (✕)
              64  wrong usage
              78  the store or the CA cannot be read
            """)

    @Option(help: ArgumentHelp("Where the proxy listens.", valueName: "host:port"))
    var proxy = "127.0.0.1:8080"

    @OptionGroup var location: FlowsCommand.Location
    @OptionGroup var ca: CAOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "One JSON object (pinproof.doctor/1).")
    var json = false

    private var endpoint: Endpoint {
        get throws {
            let endpoint = try ListenArgument.endpoint(proxy, of: "--proxy")
            guard endpoint.port > 0 else { throw ValidationError("--proxy: nothing is reached on port 0") }
            return endpoint
        }
    }

    func validate() throws {
        _ = try endpoint
        try ca.check()
    }

    func run() async throws {
        let options = Doctor.Options(
            proxy: try endpoint, ca: try ca.choice(), isCANamed: ca.folder != nil || ca.caCert != nil,
            store: try location.path, isStoreNamed: location.store != nil, environment: Terminal.environment)
        var session = DoctorSession(options, width: output.columns ?? Console.defaultWidth)
        session.isJSON = json
        session.isColored = Terminal.hasColor
        session.hasUnicode = Terminal.hasUnicode
        let (interruption, watch) = Interruption.bySignals()
        defer { watch.stop() }
        let (console, finished) = (output.console, session)
        guard let status = try await untilClosed({ try await finished.run(console, interruption) }) else { return }
        guard let status else { throw ExitCode(ExitStatus.killed.rawValue) }
        guard status == .pass else { throw ExitCode(status.rawValue) }
    }
}
