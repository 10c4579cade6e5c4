/// An HTTP/1 head as it came, read as leniently as real peers do.
///
/// Lines end with CRLF or LF alone; a line that begins with white space goes on with the value before (RFC 9112 §5.2);
/// a line without a colon is kept as a name without a value, so that nothing of a head is hidden.
enum HTTP1Head {
    /// Nil where the start line is none.
    static func request(_ bytes: ArraySlice<UInt8>) -> RequestHead? {
        var lines = lines(bytes)
        guard let start = lines.next() else { return nil }
        // A target may contain blanks, though it must not: the method is the first word, the version the last.
        guard let first = start.firstIndex(of: space), let last = start.lastIndex(of: space), first < last else {
            return nil
        }
        let (target, latin1) = HeaderField.target(start[(first + 1)..<last])
        return RequestHead(
            method: HeaderField.text(start[..<first]).0, target: target, latin1Target: latin1,
            version: HeaderField.text(start[(last + 1)...]).0, fields: fields(&lines))
    }

    static func answer(_ bytes: ArraySlice<UInt8>) -> AnswerHead? {
        var lines = lines(bytes)
        guard let start = lines.next() else { return nil }
        // As lenient as those who look for its end (`HTTPHeadFraming`): servers put tabs, or more than one blank.
        let version = start.prefix { !isWhiteSpace($0) }
        let words = start[version.endIndex...].drop(while: isWhiteSpace)
        let code = words.prefix { !isWhiteSpace($0) }
        guard code.count == 3, let status = Int(String(decoding: code, as: UTF8.self)), status >= 100 else {
            return nil
        }
        return AnswerHead(
            status: status, reason: HeaderField.text(words[code.endIndex...].dropFirst()).0,
            version: HeaderField.text(version).0, fields: fields(&lines))
    }

    /// Of chunked content.
    static func trailers(_ bytes: ArraySlice<UInt8>) -> [HeaderField] {
        var lines = Lines(rest: bytes)
        return fields(&lines)
    }

    private static func fields(_ lines: inout Lines) -> [HeaderField] {
        var fields: [HeaderField] = []
        // The last one's value, where it goes on in a further line: read when it is whole, as there may be very many.
        var folded: [UInt8]?
        func settle() {
            guard let whole = folded, let last = fields.popLast() else { return }
            let (value, isLatin1) = HeaderField.text(whole)
            fields.append(HeaderField(last.name, value, isLatin1: isLatin1))
            folded = nil
        }
        while let line = lines.next(), !line.isEmpty {
            if line.first.map(isWhiteSpace) == true, let last = fields.last {
                if folded == nil { folded = last.valueBytes }
                folded?.append(space)
                folded? += trimmed(line)
                continue
            }
            settle()
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            let value = colon < line.endIndex ? trimmed(line[(colon + 1)...]) : []
            fields.append(HeaderField(name: line[..<colon], value: value))
        }
        settle()
        return fields
    }

    /// Empty lines before the first are none of it (RFC 9112 §2.2).
    private static func lines(_ bytes: ArraySlice<UInt8>) -> Lines {
        Lines(rest: bytes.drop { $0 == carriageReturn || $0 == lineFeed })
    }

    /// Without their ends.
    private struct Lines {
        var rest: ArraySlice<UInt8>

        mutating func next() -> ArraySlice<UInt8>? {
            guard !rest.isEmpty else { return nil }
            let end = rest.firstIndex(of: lineFeed) ?? rest.endIndex
            let hasReturn = end > rest.startIndex && rest[end - 1] == carriageReturn
            let line = rest[..<(hasReturn ? end - 1 : end)]
            rest = rest[min(end + 1, rest.endIndex)...]
            return line
        }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // By its indices: a slice that loses an element is copied.
        var (start, end) = (line.startIndex, line.endIndex)
        while start < end, isWhiteSpace(line[start]) { start += 1 }
        while end > start, isWhiteSpace(line[end - 1]) { end -= 1 }
        return line[start..<end]
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == space || byte == UInt8(ascii: "\t") }

    private static let space = UInt8(ascii: " ")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")
}
