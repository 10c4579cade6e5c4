import Facts

/// Who may use the proxy, and which addresses it calls for whom.
///
/// A proxy that listens beyond loopback lends its place in the network to others. Strangers are not let in, and what
/// only this machine can reach stays its own, unless the profile says that it is meant.
package struct ClientReach: Hashable, Sendable {
    /// An address and port that the proxy listens on, with the port that was picked.
    package struct Listen: Hashable, Sendable {
        package var address: IPAddress
        package var port: UInt16

        package init(_ address: IPAddress, _ port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// Why an address is not called.
    package enum Refusal: Hashable, Sendable {
        /// It is the proxy's own: the connection would come back to it, and again.
        case ownListen
        /// The client is elsewhere, and the address means this machine alone.
        case loopback
        /// The client is elsewhere, and the address is of this machine's link: a cloud's metadata service, say.
        case linkLocal
    }

    /// `--open`
    package var isOpen: Bool
    package var listens: [Listen]

    package init(isOpen: Bool = false, listens: [Listen] = []) {
        self.isOpen = isOpen
        self.listens = listens
    }

    /// Whether a client from `source` is served at all. Who has no address is a stranger.
    package func isAdmitted(_ source: IPAddress?) -> Bool { isOpen || source.map { !$0.isGlobal } ?? false }

    /// Why the proxy does not call `address` for this client; nil where it does.
    ///
    /// - Parameters:
    ///   - client: where the client's connection comes from.
    ///   - isNamed: `Profile.names` the host that `address` was found for.
    ///   - machine: the addresses of this machine's interfaces; asked only where they matter.
    package func refusal(
        of client: IPAddress?, to address: IPAddress, port: UInt16, isNamed: Bool, machine: () -> Set<IPAddress>
    ) -> Refusal? {
        let address = address.unmapped
        // However it is named, and whoever asks.
        if listens.contains(where: { $0.port == port && isReached($0.address.unmapped, by: address, machine) }) {
            return .ownListen
        }
        if isNamed || client?.isLoopback ?? false { return nil }
        if address.isLoopback || address.isUnspecified { return .loopback }
        return address.isLinkLocal ? .linkLocal : nil
    }

    /// Whether a connection to `address` arrives at a socket that listens at `listen`.
    private func isReached(_ listen: IPAddress, by address: IPAddress, _ machine: () -> Set<IPAddress>) -> Bool {
        guard listen.isUnspecified else { return listen == address || address.isUnspecified && listen.isLoopback }
        // A socket at :: takes IPv4 as well; one at 0.0.0.0 takes nothing else.
        guard !listen.isIPv4 || address.isIPv4 else { return false }
        return address.isLoopback || address.isUnspecified || machine().contains(address)
    }
}

extension ClientReach.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ownListen: "this is the proxy's own address, and the connection would come back to it"
        case .loopback: "only clients on this machine reach its loopback, unless the profile names the host"
        case .linkLocal: "only clients on this machine reach link-local addresses, unless the profile names the host"
        }
    }
}
