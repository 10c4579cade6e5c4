import Flows

/// The parts of a multipart body (RFC 2046 §5.1), with their places.
enum Multipart {
    struct Part: Hashable {
        var fields: [HeaderField]
        /// Of the bytes that were looked at.
        var head: Range<Int>
        var content: Range<Int>

        /// Of its Content-Disposition.
        var name: String? { disposition("name") }
        var fileName: String? { disposition("filename") }
        var type: String? { fields.values(of: "content-type").first }

        private func disposition(_ name: String) -> String? {
            fields.values(of: "content-disposition").first.flatMap { MediaType.parameter(name, of: $0) }
        }
    }

    /// More parts than these are not looked at one by one: the rest is one part.
    static let limit = 10_000

    /// - Parameter boundary: of the media type; where nil, the first line tells.
    static func parts(of bytes: ArraySlice<UInt8>, boundary: String?) -> [Part] {
        guard let mark = mark(bytes, boundary) else { return [] }
        var parts: [Part] = []
        var at = next(mark, in: bytes, from: bytes.startIndex)
        while let found = at, parts.count < limit {
            var start = found + mark.count
            // Two dashes behind it: the last one.
            if bytes[start...].starts(with: "--".utf8) { break }
            while start < bytes.endIndex, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
            if start < bytes.endIndex, bytes[start] == 0x0d { start += 1 }
            if start < bytes.endIndex, bytes[start] == 0x0a { start += 1 }
            at = next(mark, in: bytes, from: start)
            var end = at ?? bytes.endIndex
            if at != nil, end > start, bytes[end - 1] == 0x0a { end -= 1 }
            if at != nil, end > start, bytes[end - 1] == 0x0d { end -= 1 }
            parts.append(part(bytes[start..<end]))
        }
        return parts
    }

    private static func mark(_ bytes: ArraySlice<UInt8>, _ boundary: String?) -> [UInt8]? {
        if let boundary, !boundary.isEmpty { return Array("--".utf8) + boundary.utf8 }
        guard bytes.starts(with: "--".utf8) else { return nil }
        let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
        return (3...72).contains(line.count) && line.count < bytes.count ? Array(line) : nil
    }

    /// At the beginning of a line that has nothing else: the boundary of a part within one may begin with its own.
    private static func next(_ mark: [UInt8], in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var at = start
        while at < bytes.endIndex, let found = bytes[at...].firstIndex(of: UInt8(ascii: "-")) {
            if found == bytes.startIndex || bytes[found - 1] == 0x0a, bytes[found...].starts(with: mark),
                endsDelimiter(bytes[(found + mark.count)...])
            {
                return found
            }
            at = found + 1
        }
        return nil
    }

    /// - Parameter rest: what stands behind the mark: two dashes or none, blanks, and the line's end or the body's.
    private static func endsDelimiter(_ rest: ArraySlice<UInt8>) -> Bool {
        let rest = rest.starts(with: "--".utf8) ? rest.dropFirst(2) : rest
        let end = rest.drop { $0 == 0x20 || $0 == 0x09 }
        return end.isEmpty || end.starts(with: [0x0a]) || end.starts(with: [0x0d, 0x0a]) || end.elementsEqual([0x0d])
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
        var fields: [HeaderField] = []
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let end = bytes[at...].firstIndex(of: 0x0a) ?? bytes.endIndex
            var line = bytes[at..<end]
            if line.last == 0x0d { line.removeLast() }
            let after = min(end + 1, bytes.endIndex)
            guard !line.isEmpty else {
                return Part(fields: fields, head: bytes.startIndex..<at, content: after..<bytes.endIndex)
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { break }
            fields.append(HeaderField(name: line[..<colon], value: line[(colon + 1)...].trimmed))
            at = after
        }
        // No empty line: there is no head, or nothing else.
        return Part(
            fields: fields, head: bytes.startIndex..<bytes.startIndex, content: bytes.startIndex..<bytes.endIndex)
    }
}

extension ArraySlice<UInt8> {
    /// Without the white space around it.
    var trimmed: ArraySlice<UInt8> {
        var slice = drop(while: \.isSpace)
        while let last = slice.last, last.isSpace { slice.removeLast() }
        return slice
    }
}
