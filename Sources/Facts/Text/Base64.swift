/// Standard base64 (RFC 4648 §4), without Foundation.
package enum Base64 {
    private static let symbols = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// With padding, and without line breaks.
    package static func encode(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0...group.count { out.append(symbols[bits >> (18 - 6 * place) & 63]) }
            for _ in group.count..<3 { out.append(UInt8(ascii: "=")) }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// nil for anything else; padding may be missing.
    package static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var text = text
        var padding = 0
        while text.last == UInt8(ascii: "="), padding < 2 {
            text = text.dropLast()
            padding += 1
        }
        // One character over holds no byte; padding fills up to four.
        guard text.count % 4 != 1, padding == 0 || (text.count + padding) % 4 == 0 else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(text.count * 3 / 4)
        var (bits, count) = (0, 0)
        for byte in text {
            guard let value = value(of: byte) else { return nil }
            bits = (bits << 6 | value) & 0xffff
            count += 6
            if count >= 8 {
                count -= 8
                out.append(UInt8(bits >> count & 0xff))
            }
        }
        return out
    }

    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
