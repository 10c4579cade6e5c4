import Facts
import Formats
import Proxy

/// How a device is let in, in lines for the terminal.
struct DeviceLines: Sendable {
    /// Where others reach the proxy, the likeliest first; empty: nowhere.
    var devices: [Endpoint]
    var port: UInt16
    /// `--qr`, `--no-qr`; nil: a person at a terminal sees it where devices can come in.
    var wantsCode: Bool?
    var isTerminal = false
    var hasColour: Bool
    /// Of the terminal, and whether it knows more than ASCII.
    var columns = 80
    var hasUnicode = true

    var lines: [String] {
        let setup = "setup  http://\(OwnSite.name)/ through the proxy: how a device trusts the CA"
        guard let first = devices.first else {
            guard wantsCode ?? false else { return [setup] }
            return [
                setup,
                "phone  none can come in yet: --listen 0.0.0.0:\(port) lets the local network in, and shows the code",
            ]
        }
        let urls = devices.map { "http://\($0)/" }
        let phone = "phone  " + English.list(urls, "or")
        guard wantsCode ?? isTerminal, let code = QRCode("http://\(first)/") else { return [setup, phone] }
        let why = ["no code: this terminal is too narrow for it, or its locale has no UTF-8"]
        let shown = code.lines(columns: columns, hasUnicode: hasUnicode, hasColour: hasColour)
        return [setup, phone] + (shown ?? (wantsCode == nil ? [] : why))
    }
}
