import ArgumentParser
import Authority
import Console
import Embedded
import Facts
import Gate
import Loop
import Policy
import TLS

/// `pinproof demo`: the whole story in under a minute.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show four verdicts on an own origin, in under a minute.",
        discussion: """
            One app in four builds goes through the gate: pinned, with its pins switched off, with its pins lost, and \
            on a device that does not trust the CA. Leaves a folder under runs/ to look at. Exits 0 when the verdicts \
            are the ones that the story demands.
            """)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let console = output.console
        let (interruption, watch) = Interruption.bySignals()
        defer { watch.stop() }
        let demo = Demo(
            printer: ResultPrinter(
                console: console, color: Terminal.hasColor, unicode: Terminal.hasUnicode,
                columns: ResultOptions.columns),
            interruption: interruption, selfTest: Wiring.selfTest, curl: try? Command(["curl"]).path,
            program: try Command([CommandLine.arguments[0]]).path)
        throw ExitCode(try await demo.run().rawValue)
    }
}

/// The demo's app where there is no curl: one GET with curl's words for it.
struct DemoClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "demo-client", shouldDisplay: false)

    @Option(name: .customLong("cacert")) var roots: String
    @Option(name: .customLong("pinnedpubkey")) var pin: String?
    @Argument var url: String

    func run() async throws {
        guard url.hasPrefix("https://"), let host = HostName(url.dropFirst(8).prefix { $0 != "/" }),
            let variable = Terminal.environment["PINPROOF_PROXY"], variable.hasPrefix("http://"),
            let proxy = Endpoint(variable.dropFirst(7)), let address = proxy.host.address
        else { throw ValidationError("it wants an https URL and PINPROOF_PROXY") }
        let client = EmbeddedClient(
            proxy: SocketAddress(address, proxy.port), target: Endpoint(host, 443),
            trust: try TrustStore(systemRoots: false, roots: Certificate.readAll(path: roots)),
            pin: try pin.map { text in
                guard let pin = Pin(text) else { throw ValidationError("\(text) is no pin") }
                return pin
            })
        switch await client.get() {
        case .answered: return
        case .refused: throw ExitCode(1)
        case .failed: throw ExitCode(2)
        }
    }
}
