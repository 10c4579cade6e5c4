import Facts

/// The messages of a gRPC body, each with its five bytes.
///
/// Length-prefixed messages of gRPC's HTTP/2 mapping.
enum GRPCText {
    /// False where it is none.
    static func write(_ bytes: [UInt8], isJSON: Bool, depth: Int, to out: inout StyledText) -> Bool {
        var rest = bytes[...]
        var place = 0
        while !rest.isEmpty, !out.isFull {
            let start = rest.startIndex
            guard rest.count >= 5, rest[start] & 0x7e == 0 else { return place > 0 }
            let length = rest[(start + 1)..<(start + 5)].reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - 5 || place > 0 else { return false }
            let content = Array(rest.dropFirst(5).prefix(length))
            if place > 0 { out.line(indent: depth) }
            place += 1
            let flags = rest[start]
            // gRPC-Web has its trailers in the last of them.
            let kind = flags & 0x80 != 0 ? "trailers" : flags & 1 != 0 ? "compressed message" : "message"
            out.add("\(kind) \(place), \(English.bytes(length))", .faint)
            if !content.isEmpty {
                out.line(indent: depth + 1)
                let type = flags & 0x80 != 0 ? "text/plain" : isJSON ? "application/json" : "application/x-protobuf"
                BodyText.write(content, flags & 1 != 0 ? nil : type, depth: depth + 1, to: &out)
            }
            rest = rest.dropFirst(5 + length)
        }
        return place > 0
    }
}
