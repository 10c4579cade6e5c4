/// Versions of HTTP in the words of those who write HAR files.
enum HARVersion {
    static func written(_ version: String?) -> String {
        switch version {
        case "h2": "HTTP/2"
        case "h3": "HTTP/3"
        case .some(let version): version
        case nil: ""
        }
    }

    /// `http/2.0`, `HTTP/2`, `h2` and `HTTP/2.0` are one.
    static func read(_ text: String?) -> String? {
        switch text?.lowercased() {
        case nil, "", "unknown": nil
        case "h2", "h2c", "http/2", "http/2.0": "h2"
        case "h3", "http/3", "http/3.0", "quic": "h3"
        case .some(let text) where text.hasPrefix("h3-"): "h3"
        case .some(let text) where text.hasPrefix("http/"): text.uppercased()
        case .some: text
        }
    }
}

/// Addresses in HAR files, which have no ports.
enum HARAddress {
    /// `203.0.113.7:443` is `203.0.113.7`, `[2001:db8::1]:443` is `2001:db8::1`.
    static func withoutPort(_ address: String) -> String {
        if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
            return String(address[address.index(after: address.startIndex)..<end])
        }
        guard address.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, let colon = address.firstIndex(of: ":")
        else {
            return address
        }
        return String(address[..<colon])
    }

    static func withPort(_ address: String, _ port: Int?) -> String {
        let bare = address.filter { $0 != "[" && $0 != "]" }
        guard let port else { return bare }
        return bare.contains(":") ? "[\(bare)]:\(port)" : "\(bare):\(port)"
    }
}
