/// Removes base64 as it comes (RFC 4648 §4), with padding anywhere.
///
/// In gRPC-Web's `-text` every part that a server writes at once may end with its own.
struct Base64Stream {
    private var bits = 0
    /// How many bits are held: fewer than eight.
    private var held = 0
    /// Characters of four, so far.
    private var place = 0

    /// Something came that is no base64: nothing is read after it.
    private(set) var isBroken = false

    /// - Returns: what stands before anything that is no base64.
    mutating func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard !isBroken else { return [] }
        var out: [UInt8] = []
        out.reserveCapacity(text.count * 3 / 4 + 3)
        for byte in text {
            switch byte {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): continue
            case UInt8(ascii: "="):
                bits = 0
                held = 0
            default:
                guard let value = Self.value(of: byte) else {
                    isBroken = true
                    return out
                }
                bits = (bits << 6 | value) & 0xfff
                held += 6
                if held >= 8 {
                    held -= 8
                    out.append(UInt8(bits >> held & 0xff))
                }
            }
            place = (place + 1) & 3
            if place == 0 {
                bits = 0
                held = 0
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
