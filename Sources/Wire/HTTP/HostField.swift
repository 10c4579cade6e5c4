import Facts

/// The Host field of a plain HTTP/1 request that nobody has parsed, read in passing.
enum HostField {
    private static let name = Array("host:".utf8)

    /// The host of the first such field; nil without one before the empty line, or where it names none.
    ///
    /// - Parameter lines: those after the request line, without their line feeds.
    static func host(in lines: some Sequence<ArraySlice<UInt8>>) -> HostName? {
        var isNamed = false
        for line in lines {
            guard line.count > 1 else { return nil }  // the empty line: what follows is content
            var value = line
            if isNamed {
                // It may go on in the next line (RFC 9112 §5.2).
                guard line.first.map(ASCII.isWhiteSpace) == true else { return nil }
            } else {
                guard line.count >= name.count, ASCII.equal(line.prefix(name.count), name) else { continue }
                value = line.dropFirst(name.count)
            }
            let isSpace = { (byte: UInt8) in ASCII.isWhiteSpace(byte) || byte == UInt8(ascii: "\r") }
            value = value.drop(while: isSpace)
            isNamed = value.isEmpty
            guard !isNamed else { continue }
            let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
            return HostPort.endpoint(value[value.startIndex..<end], defaultPort: 80)?.host
        }
        return nil
    }
}
