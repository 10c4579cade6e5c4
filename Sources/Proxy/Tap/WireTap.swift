import Loop

/// Looks on at what crosses the wire between clients and the proxy, TLS records and all.
///
/// Called on any loop's thread, before a connection's first byte is read; must not block.
package protocol WireTap: Sendable {
    /// - Parameter local: where the client has reached the proxy.
    /// - Returns: who is shown this connection; nil: nobody is.
    func accepted(from client: SocketAddress, at local: SocketAddress) -> (any StreamWitness)?
}
