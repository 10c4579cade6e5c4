import Facts
import Loop
import Policy

/// How each of the profile's clients reaches the proxy.
package struct ClientAccess: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package var client: String
        /// With its credentials, ready to be used.
        package var url: String
        /// The same, fit to be shown.
        package var shown: String
    }

    /// In the profile's order.
    package let entries: [Entry]
    /// For COMMAND and everybody who is no client: of the one client that is told by its credentials, its own URL, so
    /// that COMMAND is that client and nothing else on the machine is.
    package let main: String

    /// - Parameter own: the endpoints of clients that have a port of their own.
    package init(_ clients: [ClientRule], main: Endpoint, own: [String: Endpoint]) {
        entries = clients.map { client in
            // At a port of its own it need not show anything.
            let credentials = own[client.name] == nil ? client.credentials : nil
            let endpoint = own[client.name] ?? main
            return Entry(
                client: client.name, url: Self.url(endpoint, credentials, isShown: false),
                shown: Self.url(endpoint, credentials, isShown: true))
        }
        self.main = Self.url(main, clients.count == 1 ? clients[0].credentials : nil, isShown: false)
    }

    /// `{"pixel-8": "http://pixel-8:secret@127.0.0.1:5", …}`
    package var json: String {
        var json = JSONWriter()
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        for entry in entries { json.field(entry.client, entry.url) }
        json.endObject()
    }

    private static func url(
        _ endpoint: Endpoint, _ credentials: ClientRule.Credentials?, isShown: Bool
    ) -> String {
        guard let credentials else { return "http://\(endpoint)" }
        // Some clients show no credentials at all without a password.
        let password = credentials.password.map { isShown ? "***" : encoded($0) } ?? anyPassword
        return "http://\(encoded(credentials.user)):\(password)@\(endpoint)"
    }

    /// Where the profile asks for none.
    private static let anyPassword = "any"

    /// As the user information of a URL (RFC 3986 §2.1).
    private static func encoded(_ text: String) -> String {
        var out = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                out.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                out += "%" + (hex.count == 1 ? "0" : "") + hex
            }
        }
        return out
    }
}

extension ClientAccess {
    package init(_ profile: Profile, _ server: ProxyServer) {
        self.init(profile.clients, main: server.endpoint, own: server.clientEndpoints)
    }
}

extension Profile {
    /// The ports of single clients, as the proxy takes them.
    package func clientListens() throws(NotAnAddress) -> [(client: String, listen: SocketAddress)] {
        var listens: [(client: String, listen: SocketAddress)] = []
        for client in clients {
            guard let listen = client.listen else { continue }
            listens.append((client.name, try ListenAddress(listen).socket))
        }
        return listens
    }
}
