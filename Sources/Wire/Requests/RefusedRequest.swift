import Facts

/// Whom a plain HTTP request was for that no proxy may send on.
///
/// Another scheme, a form for servers, framing that could be read in two ways. Refused or not, it was on the wire in the clear.
package enum RefusedRequest {
    /// As much as is looked at: the names stand at the beginning.
    private static let limit = 8 * 1024
    private static let separator = Array("://".utf8)

    /// The host of the URL, else of the first Host field, with the URL's port or 80; nil where neither is there, or for
    /// CONNECT, which has nothing in it but the name.
    package static func endpoint(in bytes: [UInt8]) -> Endpoint? {
        let lines = bytes.prefix(limit).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let first = lines.first, !ASCII.equal(first.prefix(8), Array("connect ".utf8)) else { return nil }
        if let endpoint = endpoint(inURL: first) { return endpoint }
        return HostField.host(in: lines.dropFirst()).map { Endpoint($0, 80) }
    }

    private static func endpoint(inURL line: ArraySlice<UInt8>) -> Endpoint? {
        guard let start = line.indices.first(where: { line[$0...].starts(with: separator) }) else { return nil }
        let rest = line[(start + separator.count)...]
        let end = rest.firstIndex {
            [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) || $0 <= 32
        }
        var authority = rest[..<(end ?? rest.endIndex)]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        return HostPort.endpoint(authority, defaultPort: 80)
    }
}
