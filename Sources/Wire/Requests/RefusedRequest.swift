import Facts

/// Whom a plain HTTP request was for that no proxy may send on.
///
/// Another scheme, a form for servers, framing that could be read in two ways. Refused or not, it was on the wire in the clear.
package enum RefusedRequest {
    /// As much as is looked at: the names stand at the beginning.
    package static let limit = 8 * 1024
    private static let separator = Array("://".utf8)

    /// The host of the URL, else of the first Host field, with the URL's port or 80; nil where neither is there, or for
    /// CONNECT, which has nothing in it but the name.
    package static func endpoint(in bytes: [UInt8]) -> Endpoint? {
        let lines = bytes.prefix(limit).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard let first = lines.first else { return nil }
        if ASCII.equal(first.prefix(8), Array("connect ".utf8)) {
            // Content is another matter: nobody reads it, and everybody could.
            let end = lines.firstIndex { $0.isEmpty || $0.elementsEqual([UInt8(ascii: "\r")]) } ?? lines.endIndex
            guard lines[end...].dropFirst().contains(where: { !$0.isEmpty }) else { return nil }
            return HostPort.endpoint(first.dropFirst(8).prefix { $0 > 32 }, defaultPort: 443)
        }
        if let endpoint = endpoint(inURL: first) { return endpoint }
        return HostField.host(in: lines.dropFirst()).map { Endpoint($0, 80) }
    }

    /// The same of what a client has said and never brought to an end; nil for what is no HTTP, or says only a part of the
    /// name.
    package static func endpoint(inUnfinished bytes: [UInt8]) -> Endpoint? {
        let bytes = bytes.prefix(limit)
        let method = bytes.prefix { 0x41...0x5a ~= $0 || 0x61...0x7a ~= $0 }
        guard 1...20 ~= method.count, bytes.dropFirst(method.count).first == UInt8(ascii: " ") else { return nil }
        guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
            return endpoint(inURL: bytes, isWhole: false)
        }
        return endpoint(in: Array(bytes[...last]))
    }

    private static func endpoint(inURL line: ArraySlice<UInt8>, isWhole: Bool = true) -> Endpoint? {
        guard let start = line.indices.first(where: { line[$0...].starts(with: separator) }) else { return nil }
        let rest = line[(start + separator.count)...]
        let end = rest.firstIndex {
            [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) || $0 <= 32
        }
        guard isWhole || end != nil else { return nil }
        var authority = rest[..<(end ?? rest.endIndex)]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        return HostPort.endpoint(authority, defaultPort: 80)
    }
}
