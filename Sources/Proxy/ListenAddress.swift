import Facts
import Loop

/// An address to listen on, and how clients are told to reach it.
package struct ListenAddress: Sendable, Hashable {
    package let socket: SocketAddress

    /// `127.0.0.1:8080`, `[::1]:0`, `localhost:8080`; other names could mean several addresses.
    package init(_ endpoint: Endpoint) throws(NotAnAddress) {
        if endpoint.host.text == "localhost" {
            guard let loopback = IPAddress("127.0.0.1") else { throw NotAnAddress(name: "localhost") }
            socket = SocketAddress(loopback, endpoint.port)
        } else {
            guard let address = endpoint.host.address else { throw NotAnAddress(name: endpoint.host.text) }
            socket = SocketAddress(address, endpoint.port)
        }
    }

    /// It takes connections to every address of the machine.
    package var isWildcard: Bool { socket.address.isUnspecified }

    /// Others on the network can reach it.
    package var isExposed: Bool { !socket.address.isLoopback }

    /// What is said where it is exposed.
    package static func warning(at endpoint: Endpoint, isOpen: Bool) -> String {
        isOpen
            ? "warning: whoever can reach \(endpoint) can use this proxy: --open lets in public addresses too"
            : "warning: others on the network can use this proxy: it listens on \(endpoint)"
    }
}

extension ProxyServer {
    /// As clients on this machine reach it.
    package var url: String { "http://\(endpoint)" }

    /// Ports of single clients that others on the network can reach.
    package var exposedListens: [Endpoint] {
        clientAddresses.values.map(\.endpoint).filter { (try? ListenAddress($0))?.isExposed ?? true }
            .sorted { $0.description < $1.description }
    }
}
