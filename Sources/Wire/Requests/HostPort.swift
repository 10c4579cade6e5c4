import Facts

/// `host`, `host:port` or `[v6]:port`, the `hostport` of RFC 2396.
///
/// CONNECT, URLs and the Host field name an origin so.
enum HostPort {
    /// The port of a text without one is the given; port 0 and a bare IPv6 address, whose port could be meant as its
    /// last group, are refused.
    static func endpoint(_ text: ArraySlice<UInt8>, defaultPort: UInt16) -> Endpoint? {
        let colon = UInt8(ascii: ":")
        let host: ArraySlice<UInt8>
        let rest: ArraySlice<UInt8>
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = text[(text.startIndex + 1)..<end]
            rest = text[(end + 1)...]
            guard host.contains(colon) else { return nil }
        } else {
            let end = text.firstIndex(of: colon) ?? text.endIndex
            host = text[..<end]
            rest = text[end...]
            guard host.first != UInt8(ascii: "[") else { return nil }
        }
        guard let name = HostName(String(decoding: host, as: UTF8.self)) else { return nil }
        if rest.isEmpty { return Endpoint(name, defaultPort) }
        guard rest.first == colon else { return nil }
        let digits = rest.dropFirst()
        if digits.isEmpty { return Endpoint(name, defaultPort) }
        guard digits.count <= 5, digits.allSatisfy(ASCII.isDigit) else { return nil }
        let port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard (1...65535).contains(port) else { return nil }
        return Endpoint(name, UInt16(port))
    }
}
