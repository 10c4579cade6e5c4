import Facts

/// User and password as a client shows them to a proxy.
///
/// By `Proxy-Authorization` (RFC 7617), or in SOCKS5 (RFC 1929).
package struct ProxyCredentials: Hashable, Sendable {
    package var user: [UInt8]
    package var password: [UInt8]

    package init(user: [UInt8], password: [UInt8]) {
        self.user = user
        self.password = password
    }

    /// What the fields of a request show.
    enum Shown: Hashable {
        /// No field, or one of another scheme: who only offers Negotiate may know Basic as well, and is told.
        case nothing
        case credentials(ProxyCredentials)
        /// A field that cannot be read, or more than one.
        case unreadable
    }

    /// Of the base64; a profile's users and passwords have at most 255 bytes each.
    static let limit = 1024

    static func shown(in head: HTTPHead) -> Shown {
        let fields = head.values(of: .proxyAuthorization)
        guard let field = fields.first else { return .nothing }
        // Two readers could take either.
        guard fields.count == 1 else { return .unreadable }
        let value = head.text(field)
        let scheme = value.prefix { !ASCII.isWhiteSpace($0) }
        guard ASCII.equal(scheme, basic) else { return .nothing }
        let token = value[scheme.endIndex...].drop(while: ASCII.isWhiteSpace)
        guard token.count <= limit, let bytes = Base64.decoded(token),
            // A password may have colons, a user none.
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return .unreadable }
        return .credentials(
            ProxyCredentials(user: Array(bytes[..<colon]), password: Array(bytes[(colon + 1)...])))
    }

    private static let basic = Array("basic".utf8)
}
