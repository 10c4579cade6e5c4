import Facts

/// Bytes that are no text: what they are, how many, and the first of them.
enum HexText {
    /// Bytes shown.
    private static let shown = 512

    static func write(_ bytes: [UInt8], _ type: String, depth: Int, to out: inout StyledText) {
        var about = type.isEmpty ? "binary" : type
        if let (width, height) = dimensions(bytes) { about += ", \(width) × \(height)" }
        out.add("\(about), \(English.bytes(bytes.count))", .faint)
        for start in stride(from: 0, to: min(bytes.count, shown), by: 16) {
            let row = bytes[start..<min(start + 16, bytes.count)]
            out.line(indent: depth)
            let offset = String(start, radix: 16)
            out.add(String(repeating: "0", count: max(0, 8 - offset.count)) + offset + "  ", .faint)
            for place in 0..<16 {
                out.add(place < row.count ? Hex.encode([bytes[start + place]]) + " " : "   ", .number)
                if place == 7 { out.add(" ") }
            }
            out.add(" " + String(row.map { $0 >= 0x20 && $0 < 0x7f ? Character(Unicode.Scalar($0)) : "." }))
        }
        if bytes.count > shown {
            out.line(indent: depth)
            out.add("… \(English.bytes(bytes.count - shown)) more", .faint)
        }
    }

    /// Of a PNG, a GIF or a JPEG.
    private static func dimensions(_ bytes: [UInt8]) -> (Int, Int)? {
        func big(_ at: Int, _ count: Int) -> Int { bytes[at..<(at + count)].reduce(0) { $0 << 8 | Int($1) } }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]), bytes.count >= 24 { return (big(16, 4), big(20, 4)) }
        if bytes.starts(with: "GIF8".utf8), bytes.count >= 10 {
            return (Int(bytes[7]) << 8 | Int(bytes[6]), Int(bytes[9]) << 8 | Int(bytes[8]))
        }
        guard bytes.starts(with: [0xff, 0xd8]) else { return nil }
        var at = 2
        while at + 9 < bytes.count, bytes[at] == 0xff {
            let marker = bytes[at + 1]
            if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
                return (big(at + 7, 2), big(at + 5, 2))
            }
            at += 2 + big(at + 2, 2)
        }
        return nil
    }
}
