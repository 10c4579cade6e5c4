import Facts
import Loop

/// An address to listen on, and how clients are told to reach it.
package struct ListenAddress: Sendable, Hashable {
    package let socket: SocketAddress

    /// `127.0.0.1:8080`, `[::1]:0`, `localhost:8080`; other names could mean several addresses, and are nil.
    package init?(_ endpoint: Endpoint) {
        if endpoint.host.text == "localhost" {
            guard let loopback = IPAddress("127.0.0.1") else { return nil }
            socket = SocketAddress(loopback, endpoint.port)
        } else {
            guard let address = endpoint.host.address else { return nil }
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
