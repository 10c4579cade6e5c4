import Facts

/// An HTTP proxy that every connection to an origin goes through, by CONNECT.
///
/// What describes it never shows its password.
package struct UpstreamProxy: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package var endpoint: Endpoint
    /// The value of `Proxy-Authorization`; nil: it is asked without.
    let authorization: String?

    package init(_ endpoint: Endpoint) {
        self.endpoint = endpoint
        authorization = nil
    }

    /// - Parameter url: `http://user:password@host:port`; `http://` and what is before the @ may be missing. Characters
    ///   that a URL cannot have stand in user and password as %XX (RFC 3986 §2.1).
    package init(url: String) throws(Fault) {
        var rest = url[...]
        // RFC 3986 §3.1; what begins otherwise is a password with these letters in it.
        if let scheme = rest.firstRange(of: "://"), rest[..<scheme.lowerBound].utf8.allSatisfy(Self.isOfScheme) {
            let name = rest[..<scheme.lowerBound].lowercased()
            guard name == "http" else { throw .scheme(name) }
            rest = rest[scheme.upperBound...]
        }
        if rest.last == "/" { rest = rest.dropLast() }
        // The last one: passwords are seldom escaped as they should be.
        if let at = rest.lastIndex(of: "@") {
            authorization = try Self.authorization(rest[..<at])
            rest = rest[rest.index(after: at)...]
        } else {
            authorization = nil
        }
        guard let endpoint = Endpoint(rest), endpoint.port != 0 else {
            throw HostName(rest) != nil ? .noPort : .notAnEndpoint
        }
        self.endpoint = endpoint
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    package enum Fault: Error, Hashable, Sendable {
        case scheme(String)
        case credentials, noPort, notAnEndpoint
    }

    package var description: String { endpoint.description }
    package var debugDescription: String { description }

    /// Basic (RFC 7617 §2).
    private static func authorization(_ text: Substring) throws(Fault) -> String {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let user = decoded(first), let password = decoded(parts.dropFirst().first ?? ""),
            !user.isEmpty, !user.contains(UInt8(ascii: ":"))
        else { throw .credentials }
        let both = user + [UInt8(ascii: ":")] + password
        guard both.count <= limit, !both.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { throw .credentials }
        return "Basic \(Base64.encode(both))"
    }

    /// More would be refused by proxies, whose heads have limits as well.
    private static let limit = 1024

    /// Without its %XX; nil where one of them is none.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var out: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard let high = bytes.popFirst().flatMap(digit), let low = bytes.popFirst().flatMap(digit) else {
                return nil
            }
            out.append(high << 4 | low)
        }
        return out
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
