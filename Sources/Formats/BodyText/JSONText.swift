/// JSON indented by its tokens.
///
/// Order, duplicates, digits and escapes stay, and what is cut or wrong is shown as it is.
enum JSONText {
    static func write(_ bytes: [UInt8], depth base: Int, to out: inout StyledText) {
        var at = 0
        var depth = base
        var isFirst = true
        // After a bracket or a comma, the next token begins a line of its own.
        var beginsLine = false
        while at < bytes.count, !out.isFull {
            let byte = bytes[at]
            if byte.isSpace {
                at += 1
                continue
            }
            if beginsLine, byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") { out.line(indent: depth) }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                // One value after the other: lines of JSON.
                if depth == base, !isFirst, !beginsLine, !follows(UInt8(ascii: ":"), bytes, at) {
                    out.line(indent: depth)
                }
                out.add([byte])
                depth += 1
                beginsLine = true
                at += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(base, depth - 1)
                let isEmpty =
                    beginsLine && (follows(UInt8(ascii: "{"), bytes, at) || follows(UInt8(ascii: "["), bytes, at))
                if !isEmpty { out.line(indent: depth) }
                out.add([byte])
                beginsLine = false
                at += 1
            case UInt8(ascii: ","):
                out.add([byte])
                beginsLine = true
                at += 1
            case UInt8(ascii: ":"):
                out.add(": ")
                beginsLine = false
                at += 1
            default:
                if depth == base, !isFirst, !beginsLine, !follows(UInt8(ascii: ":"), bytes, at) {
                    out.line(indent: depth)
                }
                let end = tokenEnd(bytes, at)
                let isName = byte == UInt8(ascii: "\"") && precedes(UInt8(ascii: ":"), bytes, end)
                let style: StyledText.Style =
                    byte == UInt8(ascii: "\"")
                    ? isName ? .name : .string : byte.isDigit || byte == 0x2d ? .number : .word
                out.add(bytes[at..<end], style)
                beginsLine = false
                at = end
            }
            isFirst = false
        }
    }

    private static func tokenEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        var at = start + 1
        if bytes[start] == UInt8(ascii: "\"") {
            while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
            return min(at + 1, bytes.count)
        }
        while at < bytes.count, !bytes[at].isSpace, !"{}[],:\"".utf8.contains(bytes[at]) { at += 1 }
        return at
    }

    /// White space apart, this stands before that place.
    private static func follows(_ byte: UInt8, _ bytes: [UInt8], _ place: Int) -> Bool {
        bytes[..<place].last { !$0.isSpace } == byte
    }

    private static func precedes(_ byte: UInt8, _ bytes: [UInt8], _ place: Int) -> Bool {
        bytes[place...].first { !$0.isSpace } == byte
    }
}
