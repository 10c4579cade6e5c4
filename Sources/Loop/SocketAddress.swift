import CEvent
import Facts

/// An IP address and port in the form that socket calls take.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    package let address: IPAddress
    package let port: UInt16

    package init(_ address: IPAddress, _ port: UInt16) {
        self.address = address
        self.port = port
    }

    package var endpoint: Endpoint { Endpoint(HostName(address), port) }
    package var description: String { endpoint.description }

    var family: Int32 { address.isIPv4 ? AF_INET : AF_INET6 }

    /// Calls `body` with the C form; the pointer is valid during the call.
    func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        return unsafe withUnsafeMutablePointer(to: &storage) { storage in
            if address.isIPv4 {
                let v4 = unsafe UnsafeMutableRawPointer(storage).assumingMemoryBound(to: sockaddr_in.self)
                unsafe v4.pointee.sin_family = sa_family_t(AF_INET)
                unsafe v4.pointee.sin_port = port.bigEndian
                unsafe withUnsafeMutableBytes(of: &v4.pointee.sin_addr) { unsafe $0.copyBytes(from: address.bytes) }
            } else {
                let v6 = unsafe UnsafeMutableRawPointer(storage).assumingMemoryBound(to: sockaddr_in6.self)
                unsafe v6.pointee.sin6_family = sa_family_t(AF_INET6)
                unsafe v6.pointee.sin6_port = port.bigEndian
                unsafe withUnsafeMutableBytes(of: &v6.pointee.sin6_addr) { unsafe $0.copyBytes(from: address.bytes) }
            }
            let length = address.isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            return unsafe body(UnsafeRawPointer(storage).assumingMemoryBound(to: sockaddr.self), socklen_t(length))
        }
    }

    /// From what a socket call filled in; nil for families other than IP.
    init?(_ pointer: UnsafePointer<sockaddr>?) {
        guard let pointer = unsafe pointer else { return nil }
        let raw = unsafe UnsafeRawPointer(pointer)
        switch unsafe Int32(pointer.pointee.sa_family) {
        case AF_INET:
            let v4 = unsafe raw.assumingMemoryBound(to: sockaddr_in.self).pointee
            let bytes = unsafe withUnsafeBytes(of: v4.sin_addr) { unsafe Array($0) }
            guard let address = IPAddress(bytes: bytes) else { return nil }
            self.init(address, UInt16(bigEndian: v4.sin_port))
        case AF_INET6:
            let v6 = unsafe raw.assumingMemoryBound(to: sockaddr_in6.self).pointee
            let bytes = unsafe withUnsafeBytes(of: v6.sin6_addr) { unsafe Array($0) }
            // An IPv4 client on a dual-stack socket is an IPv4 client.
            guard let address = IPAddress(bytes: bytes)?.unmapped else { return nil }
            self.init(address, UInt16(bigEndian: v6.sin6_port))
        default: return nil
        }
    }

    /// Calls a function such as `getsockname` and reads what it filled in.
    static func filled(by body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32)
        -> (result: Int32, address: SocketAddress?)
    {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { storage in
            let pointer = unsafe UnsafeMutableRawPointer(storage).assumingMemoryBound(to: sockaddr.self)
            let result = unsafe body(pointer, &length)
            return unsafe (result, result >= 0 ? SocketAddress(pointer) : nil)
        }
    }
}
