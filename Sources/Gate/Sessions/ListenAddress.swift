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
    package var isWildcard: Bool { socket.address.bytes.allSatisfy { $0 == 0 } }

    /// Others on the network can reach it.
    package var isExposed: Bool { !isLoopback }

    private var isLoopback: Bool {
        let bytes = socket.address.bytes
        return socket.address.isIPv4 ? bytes.first == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
}
