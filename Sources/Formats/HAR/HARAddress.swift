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
