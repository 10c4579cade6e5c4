import Facts
import Policy

/// Clients that use the proxy at the same time, and what tells them apart.
extension ProfileReader {
    /// Each may have a socket of its own, and every connection is compared with all of them.
    static let maxClients = 256

    mutating func clients(_ tree: Tree) -> [ClientRule] {
        guard case .map(let entries) = tree.content else {
            wrongType(tree, .key("clients", .top), .map)
            return []
        }
        if entries.count > Self.maxClients {
            report(.tooMany("clients", count: entries.count, limit: Self.maxClients), at: tree.place)
        }
        var names: [String: Place] = [:]
        var taken: [ProfileError.ClientFault.Means: (client: String, line: Int)] = [:]
        var clients: [ClientRule] = []
        for entry in entries.prefix(Self.maxClients) {
            guard let name = text(entry.key, of: .aKey(of: "clients")) else { continue }
            guard Self.isName(name) else {
                report(.client(.name(name)), at: entry.key.place)
                continue
            }
            if let first = names[name] {
                report(.repeatedKey(name, .clients, firstLine: first.line), at: entry.key.place)
                continue
            }
            names[name] = entry.key.place
            guard let (client, means) = client(entry.value, name) else { continue }
            for (means, place) in means {
                if let first = taken[means] {
                    report(.client(.taken(means, by: first.client, line: first.line)), at: place)
                } else {
                    taken[means] = (name, place.line)
                }
            }
            clients.append(client)
        }
        return clients
    }

    /// One client, and each of its means where it stands.
    private mutating func client(
        _ tree: Tree, _ name: String
    ) -> (ClientRule, [(ProfileError.ClientFault.Means, Place)])? {
        let section = ProfileError.Section.client(name)
        guard let fields = fields(tree, of: .host(name, in: "clients"), as: .client, in: section) else { return nil }
        var client = ClientRule(name: name)
        var means: [(ProfileError.ClientFault.Means, Place)] = []
        let password = fields["password"].flatMap { tree -> String? in
            guard let text = text(tree, of: .key("password", section)) else { return nil }
            guard Self.isCredential(text) else {
                report(.client(.password(of: name)), at: tree.place)
                return nil
            }
            return text
        }
        if let tree = fields["user"], let user = text(tree, of: .key("user", section)) {
            if Self.isCredential(user), !user.contains(":") {
                client.credentials = ClientRule.Credentials(user: user, password: password)
                means.append((.user(user), tree.place))
            } else {
                report(.client(.user(user, of: name)), at: tree.place)
            }
        }
        if let tree = fields["listen"], let text = text(tree, of: .key("listen", section), as: .endpoint) {
            if let listen = Endpoint(text), listen.host.isIP || listen.host.text == "localhost" {
                client.listen = listen
                if listen.port != 0 { means.append((.listen(listen), tree.place)) }
            } else {
                report(.client(.listen(text, of: name)), at: tree.place)
            }
        }
        if let tree = fields["address"], let text = text(tree, of: .key("address", section)) {
            if let address = HostName(text)?.address.map(Self.unmapped) {
                client.address = address
                means.append((.address(address), tree.place))
            } else {
                report(.client(.address(text, of: name)), at: tree.place)
            }
        }
        if fields["user"] == nil, !fields.mistyped.contains("user"), let tree = fields["password"] {
            report(.client(.passwordAlone(name)), at: tree.place)
        } else if fields.values.isEmpty, fields.mistyped.isEmpty {
            report(.client(.noMeans(name)), at: tree.place)
        }
        return (client, means)
    }

    /// What HTTP and SOCKS5 carry alike, in whatever character set: RFC 1929 counts in a byte.
    private static func isCredential(_ text: String) -> Bool {
        text.utf8.count <= 255 && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    /// An IPv4 client on an IPv6 socket is seen by its IPv4 address.
    private static func unmapped(_ address: IPAddress) -> IPAddress {
        let bytes = address.bytes
        guard bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff,
            let v4 = IPAddress(bytes: Array(bytes[12...]))
        else { return address }
        return v4
    }
}
