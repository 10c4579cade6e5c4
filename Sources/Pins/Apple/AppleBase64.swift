/// Base64 as Apple's Security framework decodes a pin (SecBase64.c, `SecBase64Decode`).
///
/// Whatever is no letter of the alphabet is passed over, letters behind the last whole group of four are dropped, and
/// decoding ends with the group that has padding. So nothing is ever refused: what was meant otherwise has another
/// length.
enum AppleBase64 {
    static func decoded(_ text: String) -> [UInt8] {
        var out: [UInt8] = []
        var group: [UInt8] = []
        var padding = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") {
                group.append(0)
                padding += 1
            } else if let value = value(of: byte) {
                padding = 0
                group.append(value)
            } else {
                continue
            }
            guard group.count == 4 else { continue }
            out.append(group[0] << 2 | group[1] >> 4)
            if padding != 2 { out.append(group[1] << 4 | group[2] >> 2) }
            if padding != 2, padding != 1 { out.append(group[2] << 6 | group[3]) }
            if padding > 0 { break }
            group = []
        }
        return out
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
