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
            // A ClientHello that did not wait for the answer is none.
            guard let content = lines[end...].dropFirst().first(where: { !$0.isEmpty }), content.first != 0x16 else {
                return nil
            }
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
        // HTTP/0.9 says no version.
        let words = bytes.prefix { $0 >= 0x20 }.split(separator: UInt8(ascii: " "))
        guard words.count == 2 || words.count == 3 && words[2].starts(with: Array("HTTP/".utf8)) else { return nil }
        return endpoint(in: Array(bytes[...last]))
    }

    private static func endpoint(inURL line: ArraySlice<UInt8>, isWhole: Bool = true) -> Endpoint? {
        // Not an address within another one's query.
        guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let target = line[(space + 1)...].drop { $0 == UInt8(ascii: " ") }
        let scheme = target.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") && $0 > 32 }
        guard !scheme.isEmpty, target[scheme.endIndex...].starts(with: separator) else { return nil }
        let rest = target[(scheme.endIndex + separator.count)...]
        let end = rest.firstIndex {
            [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) || $0 <= 32
        }
        guard isWhole || end != nil else { return nil }
        var authority = rest[..<(end ?? rest.endIndex)]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        return HostPort.endpoint(authority, defaultPort: 80)
    }
}
