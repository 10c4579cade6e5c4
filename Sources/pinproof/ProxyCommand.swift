import ArgumentParser
import Console
import Inspector
import Loop
import Proxy
import Web

/// `pinproof proxy`: the debugging proxy.
struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Intercept and note connections; never used for a verdict.",
        usage: "pinproof proxy [<profile>] [<options>]",
        discussion: """
            One port takes HTTP proxy requests (CONNECT and absolute-form), SOCKS5 and TLS by SNI alike. Without a \
            profile every host is intercepted; with one, hosts that it does not name are left alone unless it says \
            others: accept. Asked through it, http://pinproof.test/ says how a device trusts the CA.

            EXAMPLES
              pinproof proxy
              pinproof proxy --listen 0.0.0.0:8080               lets phones of the local network in
              pinproof proxy debug.yaml --evidence connections.jsonl
              curl --proxy http://127.0.0.1:8080 --cacert ~/.local/share/pinproof/ca/root.pem https://example.com/
            """)

    @Argument(help: "The profile (YAML). (default: every host is intercepted)")
    var profile: String?

    @Option(help: ArgumentHelp("Where the proxy listens; port 0 picks a free one.", valueName: "host:port"))
    var listen = "127.0.0.1:8080"

    @Flag(help: "Also serve clients from public addresses, which are refused otherwise.")
    var open = false

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Show a QR code by which a phone finds the page that sets it up. (default: at a terminal, with --listen 0.0.0.0:8080)"
        ))
    var qr: Bool?

    @OptionGroup var ca: CAOptions

    @Option(
        help: ArgumentHelp(
            "One JSON line per connection and plain HTTP request, as the gate writes it.", valueName: "file"))
    var evidence: String?

    @Option(help: ArgumentHelp("JSON with the proxy's URL, written once the port is bound.", valueName: "path"))
    var readyFile: String?

    @Option(help: ArgumentHelp("Event loops, each a thread. (default: one per processor)", valueName: "n"))
    var loops: Int?

    @Option(
        help: ArgumentHelp(
            "End connections on which nothing has come for so long. (default: never)", valueName: "seconds"))
    var idle: Double?

    @Option(
        help: ArgumentHelp(
            "Append the TLS secrets of both legs, from which Wireshark can read them.", valueName: "file"))
    var keylog: String?

    @Option(
        help: ArgumentHelp(
            "Write the packets of clients with their TLS secrets: opens decrypted in Wireshark.", valueName: "file"))
    var pcapng: String?

    @Option(
        help: ArgumentHelp(
            "The HTTP proxy to reach origins through, instead of the profile's: http://[user:password@]host:port. (default: $PINPROOF_UPSTREAM_PROXY, which keeps the password out of `ps`)",
            valueName: "url"))
    var upstreamProxy: String?

    @OptionGroup var recording: RecordingArguments
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try Limits.check("--loops", loops, in: Limits.loops)
        try Limits.check("--idle", idle)
        _ = try ListenArgument.endpoint(listen)
        _ = try chosenUpstreamProxy
        try ca.check()
    }

    private var chosenUpstreamProxy: UpstreamProxy? {
        get throws { try UpstreamProxyArgument.chosen(upstreamProxy, environment: Terminal.environment) }
    }

    func options() throws -> ProxySession.Options {
        var options = ProxySession.Options(
            listen: try ListenArgument.endpoint(listen),
            loops: loops ?? min(Terminal.processors, Limits.loops.upperBound))
        options.isOpen = open
        options.wantsCode = qr
        options.hasColour = Terminal.hasColor(on: .error)
        options.profile = profile
        options.ca = try ca.choice()
        options.evidence = evidence
        options.readyFile = readyFile
        options.idle = idle
        options.keyLog = keylog
        options.packets = pcapng
        options.recording = try recording.options()
        options.page = try ListenArgument.endpoint(recording.ui ?? RecordingArguments.usualPage, of: "--ui")
        options.isPageNamed = recording.ui != nil
        options.savedFilters = try? NamedFilters.savedPath
        options.upstreamProxy = try chosenUpstreamProxy
        return options
    }

    func run() async throws {
        let (interruption, watch) = Interruption.bySignals()
        defer { watch.stop() }
        let (console, finish) = output.patient
        defer { finish() }
        try await ProxySession(
            try options(), console: console, interruption: interruption,
            page: { try await PageServer.start($0) }, site: { OnboardingSite($0).site }
        ).run()
    }
}
