import Facts

/// One of several clients that use the proxy at the same time, and what it is told by.
///
/// A client may have several means; each of them is enough.
package struct ClientRule: Hashable, Sendable {
    /// Formed like a profile's name.
    package var name: String
    package var credentials: Credentials?
    /// A port of its own: an address of this machine (or `localhost`); port 0 picks a free one.
    package var listen: Endpoint?
    /// Where its connections come from.
    package var address: IPAddress?

    /// What it shows to the proxy.
    package struct Credentials: Hashable, Sendable {
        package var user: String
        /// nil: any will do, the user alone tells who it is.
        package var password: String?

        package init(user: String, password: String? = nil) {
            self.user = user
            self.password = password
        }
    }

    package init(name: String, credentials: Credentials? = nil, listen: Endpoint? = nil, address: IPAddress? = nil) {
        self.name = name
        self.credentials = credentials
        self.listen = listen
        self.address = address
    }
}

/// Finds the client that a connection belongs to.
///
/// Credentials say more than the port they came to, and that says more than where they came from.
package struct ClientDirectory: Sendable {
    private let byCredentials: [(name: String, user: [UInt8], password: [UInt8]?)]
    private let byAddress: [IPAddress: String]

    package init(_ clients: [ClientRule]) {
        byCredentials = clients.compactMap { client in
            client.credentials.map { (client.name, Array($0.user.utf8), $0.password.map { Array($0.utf8) }) }
        }
        byAddress = Dictionary(
            clients.compactMap { client in client.address.map { ($0, client.name) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether any client is told by what it shows.
    package var usesCredentials: Bool { !byCredentials.isEmpty }

    package func client(at address: IPAddress) -> String? { byAddress[address] }

    /// Takes as long for the wrong as for the right, and says nothing about which part was wrong.
    package func client(user: [UInt8], password: [UInt8]) -> String? {
        var found: String?
        for entry in byCredentials {
            let isUser = Self.equal(entry.user, user)
            let isPassword = entry.password.map { Self.equal($0, password) } ?? true
            // Both were compared: `&&` would skip the password of a wrong user.
            if isUser, isPassword { found = entry.name }
        }
        return found
    }

    /// Looks at every byte of `known`, however early they differ.
    private static func equal(_ known: [UInt8], _ shown: [UInt8]) -> Bool {
        var difference: UInt8 = known.count == shown.count ? 0 : 1
        for (index, byte) in known.enumerated() { difference |= byte ^ (index < shown.count ? shown[index] : 0) }
        return difference == 0
    }
}
