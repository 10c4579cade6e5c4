import Console
import Facts
import Formats
import Proxy

/// What a person is told when the proxy is up and nothing has happened yet.
struct Guide {
    /// What it listens on.
    var proxy: Endpoint
    /// As a client on this machine reaches it.
    var url: String
    var ca: String
    var isNewCA: Bool
    var isExposed: Bool
    var isOpen = false
    var run: String
    var hasCommand: Bool
    /// Where devices of the local network reach the proxy, the likeliest first; empty: nowhere.
    var devices: [Endpoint] = []
    /// nil: no code can be shown.
    var code: GuideCode?
    var clients: [ClientAccess.Entry] = []
    /// Ports of single clients that others on the network can reach.
    var exposedListens: [Endpoint] = []

    var warnings: [String] {
        ((isExposed ? [proxy] : []) + exposedListens).map { ListenAddress.warning(at: $0, isOpen: isOpen) }
    }

    var lines: [String] {
        var lines = ["proxy  \(url)", "CA     \(ca)", "run    \(run)"]
        lines += clients.map { "client \($0.client): \($0.shown)" }
        if isNewCA, hasCommand {
            lines.append("the CA is new: the client has to trust it, COMMAND finds it in $PINPROOF_CA")
        }
        guard !hasCommand else { return lines }
        return lines + [""] + (devices.isEmpty ? nearSteps : steps(at: devices)) + [""]
    }

    /// A device that reaches this machine over the network. Its browser needs no proxy for the page.
    private func steps(at devices: [Endpoint]) -> [String] {
        let pages = devices.map { "http://\($0)/" }
        var lines = ["1. on the device open \(English.list(pages, "or"))"]
        lines += devices.first.flatMap { QRCode("http://\($0)/") }.flatMap { code?.lines(of: $0) } ?? []
        lines.append("   it has the CA: install it, and trust it as the app does (the page says how; ca/README.md)")
        let hosts = devices.map(\.host.text)
        lines.append("2. set the device's HTTP proxy to \(English.list(hosts, "or")), port \(proxy.port)")
        return lines + [journey]
    }

    /// One that is plugged in, or emulated.
    private var nearSteps: [String] {
        let port = proxy.port
        return [
            "1. let the app use the proxy: adb reverse tcp:\(port) tcp:\(port) and a proxy of",
            "   localhost:\(port) on Android, or --listen 0.0.0.0:8080 for a device on the network",
            "2. install the CA and trust it as the app does: the device's browser finds it at",
            "   http://localhost:\(port)/ then, and ca/README.md says more",
            journey,
        ]
    }

    private var journey: String {
        "3. go through the same journey in every phase, the app freshly started each time"
    }
}

/// How a QR code is shown at the terminal.
struct GuideCode: Hashable {
    var columns: Int
    var hasColour: Bool

    init(columns: Int, hasColour: Bool) {
        self.columns = columns
        self.hasColour = hasColour
    }

    /// nil where there is no terminal, or one that knows ASCII alone.
    init?(_ console: Console) {
        guard console.isTerminal, Terminal.hasUnicode else { return nil }
        self.init(columns: console.width, hasColour: Terminal.hasColor(on: .error))
    }

    /// nil where it is too narrow.
    func lines(of code: QRCode) -> [String]? {
        code.lines(columns: columns, hasUnicode: true, hasColour: hasColour)
    }
}
