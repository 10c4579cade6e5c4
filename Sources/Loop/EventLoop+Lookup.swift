import CEvent
import Facts

extension EventLoop {
    /// Looks a name up without blocking the loop; addresses come at once, as they are.
    ///
    /// - Parameter done: called once, with at least one address or the reason in words.
    package func resolve(_ endpoint: Endpoint, _ done: @escaping (Result<[SocketAddress], LookupError>) -> Void) {
        if let address = endpoint.host.address {
            done(.success([SocketAddress(address, endpoint.port)]))
            return
        }
        guard let resolver = unsafe resolver() else {
            done(.failure(LookupError(reason: "no resolver")))
            return
        }
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = numericCast(SOCK_STREAM.rawValue)
        let lookup = Lookup(on: self, port: endpoint.port, done: done)
        let context = unsafe Unmanaged.passRetained(lookup).toOpaque()
        // The callback releases the context, once. Where it comes before this returns, there is no request.
        if let request = unsafe evdns_getaddrinfo(resolver, endpoint.host.text, nil, &hints, lookupDone, context) {
            unsafe lookup.request = request
            lookups[ObjectIdentifier(lookup)] = lookup
        }
    }
}

/// A name that could not be resolved, in words.
package struct LookupError: Error, Hashable, Sendable {
    package let reason: String
}

/// A name on its way to addresses.
@safe final class Lookup {
    /// None when the loop is going away: nobody is left to be told.
    weak var loop: EventLoop?
    /// libevent's, until it is done.
    var request: OpaquePointer?
    let port: UInt16
    let done: (Result<[SocketAddress], LookupError>) -> Void

    init(on loop: EventLoop, port: UInt16, done: @escaping (Result<[SocketAddress], LookupError>) -> Void) {
        self.loop = loop
        self.port = port
        self.done = done
    }

    /// The callback comes in the loop's next round.
    func cancel() { if let request = unsafe request { unsafe evdns_getaddrinfo_cancel(request) } }
}

/// More addresses than this are not tried: the client would have given up long before.
private let addressLimit = 8

/// The library's words for a name that does not exist, "nodename nor servname provided", tell nobody anything.
private func reason(_ result: Int32) -> String {
    let words = unsafe evutil_gai_strerror(result).map { unsafe String(cString: $0).lowercased() }
    guard result != 0, let words, !words.hasPrefix("nodename nor servname") else {
        return "no address was found for the name"
    }
    return words
}

private func lookupDone(result: Int32, list: UnsafeMutablePointer<addrinfo>?, context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let lookup = unsafe Unmanaged<Lookup>.fromOpaque(context).takeRetainedValue()
    defer { if let list = unsafe list { unsafe evutil_freeaddrinfo(list) } }
    guard let loop = lookup.loop else { return }
    loop.lookups[ObjectIdentifier(lookup)] = nil
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let info = unsafe next, addresses.count < addressLimit {
        if let found = unsafe SocketAddress(info.pointee.ai_addr) {
            let address = SocketAddress(found.address, lookup.port)
            if !addresses.contains(address) { addresses.append(address) }
        }
        unsafe next = info.pointee.ai_next
    }
    if addresses.isEmpty {
        lookup.done(.failure(LookupError(reason: reason(result))))
    } else {
        lookup.done(.success(addresses))
    }
}
