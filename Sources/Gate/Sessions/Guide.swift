import Facts
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
        lines.append("")
        if isExposed {
            lines.append("1. set the device's HTTP proxy to this machine's address, port \(proxy.port)")
        } else {
            lines.append("1. let the app use the proxy: adb reverse tcp:\(proxy.port) tcp:\(proxy.port) and a proxy of")
            lines.append("   localhost:\(proxy.port) on Android, or --listen 0.0.0.0:8080 for a device on the network")
        }
        lines.append("2. install the CA and trust it as the app does: pinproof ca export --help, ca/README.md")
        lines.append("3. go through the same journey in every phase, the app freshly started each time")
        lines.append("")
        return lines
    }
}
