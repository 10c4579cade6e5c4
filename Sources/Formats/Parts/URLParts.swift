/// A URL in its parts, read without ever failing: peers send what they like.
///
///     https://user:pw@[2001:db8::1]:8443/a/b?x=1#top
struct URLParts: Hashable {
    var scheme: String?
    /// Before the `@`.
    var userinfo: String?
    /// As it stands, with the brackets of an IPv6 address.
    var host: String
    var port: Int?
    /// Without the query, as it stands: it may be empty.
    var path: String
    var query: String?
    var fragment: String?

    init(_ url: String) {
        var rest = Array(url.utf8)[...]
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        func cut(_ mark: Character) -> String? {
            guard let value = mark.asciiValue, let place = rest.firstIndex(of: value) else { return nil }
            defer { rest = rest[..<place] }
            return text(rest[(place + 1)...])
        }
        fragment = cut("#")
        query = cut("?")
        host = ""
        path = ""
        guard let scheme = URLParts.scheme(of: rest) else {
            path = text(rest)
            return
        }
        self.scheme = text(rest.prefix(scheme))
        rest = rest.dropFirst(scheme + 3)
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        path = text(rest[slash...])
        var authority = rest[..<slash]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            userinfo = text(authority[..<at])
            authority = authority[(at + 1)...]
        }
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")), authority.last != UInt8(ascii: "]"),
            let number = Int(text(authority[(colon + 1)...])), (0...65535).contains(number)
        {
            port = number
            authority = authority[..<colon]
        }
        host = text(authority)
    }

    /// How many bytes before `://`.
    private static func scheme(of bytes: ArraySlice<UInt8>) -> Int? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
            bytes[colon...].starts(with: "://".utf8),
            bytes[..<colon].allSatisfy({ $0.isNameByte || $0 == UInt8(ascii: "+") })
        else { return nil }
        return colon - bytes.startIndex
    }

    /// What a request line has of it: path and query.
    var target: String { (path.isEmpty ? "/" : path) + (query.map { "?" + $0 } ?? "") }

    /// Host and port, the port only where it is not the scheme's own.
    var authority: String {
        guard let port, port != defaultPort else { return host }
        return "\(host):\(port)"
    }

    var defaultPort: Int? {
        switch scheme?.lowercased() {
        case "http", "ws": 80
        case "https", "wss": 443
        default: nil
        }
    }

    /// Scheme and authority, without userinfo.
    var origin: String { (scheme.map { $0 + "://" } ?? "") + host + (port.map { ":\($0)" } ?? "") }

    /// Without userinfo and fragment, which are never sent.
    var sent: String { origin + target }

    var isSecure: Bool { scheme?.lowercased() == "https" || scheme?.lowercased() == "wss" }
}

extension UInt8 {
    /// Of an identifier: a letter, a digit, `_`, `-` or `.`.
    var isNameByte: Bool {
        isAlphanumeric || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    var isAlphanumeric: Bool { isDigit || (0x61...0x7a).contains(self | 0x20) }
    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Of a field name (RFC 9110 §5.6.2).
    var isTokenByte: Bool { isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// Blank, tab or the end of a line.
    var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}
