/// XML indented by its tags; an element with text alone stays on its line.
enum XMLText {
    static func write(_ bytes: [UInt8], depth base: Int, to out: inout StyledText) {
        var at = 0
        var depth = base
        var isFirst = true
        // The last thing was an opening tag, or text directly behind one.
        var isOpen = false
        func place(_ out: inout StyledText) {
            if !isFirst { out.line(indent: depth) }
            isFirst = false
        }
        while at < bytes.count, !out.isFull {
            if bytes[at] == UInt8(ascii: "<") {
                let end = tagEnd(bytes, at)
                let tag = bytes[at..<end]
                if tag.starts(with: "</".utf8) {
                    depth = max(base, depth - 1)
                    if !isOpen { place(&out) }
                    isOpen = false
                    out.add(tag, .name)
                } else {
                    place(&out)
                    let isAlone =
                        tag.starts(with: "<?".utf8) || tag.starts(with: "<!".utf8) || tag.suffix(2) == [0x2f, 0x3e]
                    out.add(tag, tag.starts(with: "<!".utf8) ? .faint : .name)
                    isOpen = !isAlone
                    if !isAlone { depth += 1 }
                }
                at = end
            } else {
                let end = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                let text = bytes[at..<end].trimmed
                if !text.isEmpty {
                    let isInline = isOpen && bytes[end...].starts(with: "</".utf8)
                    if !isInline {
                        place(&out)
                        isOpen = false
                    }
                    out.add(text)
                }
                at = end
            }
        }
    }

    /// Behind the tag, comment or CDATA section that begins there.
    private static func tagEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        let rest = bytes[start...]
        let closing = rest.starts(with: "<!--".utf8) ? "-->" : rest.starts(with: "<![CDATA[".utf8) ? "]]>" : ">"
        let mark = Array(closing.utf8)
        var at = start + 1
        var quote: UInt8?
        while at < bytes.count {
            if mark.count == 1, let open = quote {
                if bytes[at] == open { quote = nil }
            } else if mark.count == 1, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") {
                quote = bytes[at]
            } else if bytes[at] == mark[0], bytes[at...].starts(with: mark) {
                return at + mark.count
            }
            at += 1
        }
        return bytes.count
    }
}
