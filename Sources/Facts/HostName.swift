/// A host as it is compared and printed: lower case, no trailing dot, canonical addresses.
///
/// `HostName("API.Example.com.")` equals `HostName("api.example.com")`; `HostName("[::1]")` equals `HostName("::1")`, and
/// `HostName("127.1")` and `HostName("127.0.0.1.")` equal `HostName("127.0.0.1")`, which is where resolvers and browsers go with it.
/// What is neither an IP address nor a DNS name (RFC 1123, underscores allowed, at most 253 bytes) is `nil`, so text
/// from the network that became a `HostName` is safe to put into a certificate, a file name or a report.
package struct HostName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String
    /// The address, when the host is an IP literal.
    package let address: IPAddress?

    package init?(_ text: some StringProtocol) {
        var bare = Substring(text)
        if bare.utf8.first == UInt8(ascii: "["), bare.utf8.last == UInt8(ascii: "]") {
            bare = bare.dropFirst().dropLast()
        }
        let isRooted = bare.utf8.last == UInt8(ascii: ".")
        if isRooted { bare = bare.dropLast() }
        // An IPv4 address has such a dot in URLs (WHATWG URL, "ends in a number"); one of IPv6 has not.
        if let address = IPAddress(bare) ?? IPAddress(resolvable: bare), address.isIPv4 || !isRooted {
            self.address = address.unmapped
            self.text = address.unmapped.description
            return
        }
        var out: [UInt8] = []
        out.reserveCapacity(bare.utf8.count)
        var label = 0
        for byte in bare.utf8 {
            switch byte {
            case UInt8(ascii: "."):
                guard label > 0 else { return nil }
                label = 0
                out.append(byte)
                continue
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): out.append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                out.append(byte)
            default: return nil
            }
            label += 1
            guard label <= 63 else { return nil }
        }
        guard label > 0, out.count <= 253 else { return nil }
        self.address = nil
        self.text = String(decoding: out, as: UTF8.self)
    }

    /// An IPv4-mapped address is the IPv4 one: sockets go to the same place by both.
    package init(_ address: IPAddress) {
        self.address = address.unmapped
        self.text = address.unmapped.description
    }

    package var isIP: Bool { address != nil }
    package var description: String { text }

    package static func == (a: Self, b: Self) -> Bool { a.text == b.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
    package static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

extension HostName: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let host = HostName(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is not a host name"))
        }
        self = host
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A host and a TCP port, printed as `host:port` (`[v6]:port`).
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    package var host: HostName
    package var port: UInt16

    package init(_ host: HostName, _ port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `host:port`, `[v6]:port`, and with a default port also the bare host.
    package init?(_ text: some StringProtocol, defaultPort: UInt16? = nil) {
        let text = String(text)
        if let defaultPort, let host = HostName(text) {
            self.init(host, defaultPort)
            return
        }
        // `UInt16(_:)` would take a sign as well.
        guard let colon = text.lastIndex(of: ":"),
            text[text.index(after: colon)...].utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }),
            let port = UInt16(text[text.index(after: colon)...]),
            let host = HostName(text[..<colon]), host.address?.isIPv4 != false || text.first == "["
        else { return nil }
        self.init(host, port)
    }

    package var description: String { host.address?.isIPv4 == false ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension Endpoint: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let endpoint = Endpoint(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is not host:port"))
        }
        self = endpoint
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
