/// User and password as a client shows them to a proxy: by `Proxy-Authorization` (RFC 7617), or in SOCKS5 (RFC 1929).
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

/// Standard base64 (RFC 4648 §4), without Foundation.
enum Base64 {
    /// nil for anything else; padding may be missing.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var text = text
        var padding = 0
        while text.last == UInt8(ascii: "="), padding < 2 {
            text = text.dropLast()
            padding += 1
        }
        // One character over holds no byte; padding fills up to four.
        guard text.count % 4 != 1, padding == 0 || (text.count + padding) % 4 == 0 else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(text.count * 3 / 4)
        var (bits, count) = (0, 0)
        for byte in text {
            guard let value = value(of: byte) else { return nil }
            bits = (bits << 6 | value) & 0xffff
            count += 6
            if count >= 8 {
                count -= 8
                out.append(UInt8(bits >> count & 0xff))
            }
        }
        return out
    }

    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
