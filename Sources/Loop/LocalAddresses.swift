import CEvent
import Facts

/// The addresses of this machine's interfaces, remembered for a moment.
package struct LocalAddresses: Sendable {
    /// Seconds. Asking takes some 50 µs, and interfaces come and go with networks, not with connections.
    package static let lifetime = 2.0

    private var known: Set<IPAddress> = []
    private var asked = -Double.infinity
    private let ask: @Sendable () -> Set<IPAddress>

    package init(_ ask: @escaping @Sendable () -> Set<IPAddress> = LocalAddresses.current) { self.ask = ask }

    /// - Parameter now: of `MonotonicClock`.
    package mutating func addresses(at now: Double) -> Set<IPAddress> {
        if now - asked > Self.lifetime {
            known = ask()
            asked = now
        }
        return known
    }

    /// Empty where the system does not tell.
    package static func current() -> Set<IPAddress> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: Set<IPAddress> = []
        var next = unsafe list
        while let interface = unsafe next {
            if let address = unsafe SocketAddress(interface.pointee.ifa_addr) { found.insert(address.address) }
            unsafe next = interface.pointee.ifa_next
        }
        return found
    }
}
