/// Base64 as Android decodes it: what is no digit is passed over.
///
/// AOSP, android/util/Base64.java with the flags `DEFAULT`.
enum AndroidBase64 {
    /// nil where the platform throws: a lone digit at the end, or padding where none belongs.
    static func decoded(_ text: String) -> [UInt8]? {
        var out: [UInt8] = []
        var (bits, digits) = (0, 0)
        /// How many `=` are still due, once one was there.
        var padding: Int?
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") {
                switch (digits, padding) {
                case (2, nil): padding = 1
                case (3, nil), (2, 1): padding = 0
                default: return nil
                }
            } else if let value = value(of: byte) {
                guard padding == nil else { return nil }
                bits = (bits << 6 | value) & 0xffffff
                digits += 1
                if digits == 4 {
                    out += [UInt8(bits >> 16 & 0xff), UInt8(bits >> 8 & 0xff), UInt8(bits & 0xff)]
                    (bits, digits) = (0, 0)
                }
            }
        }
        guard digits != 1, padding != 1 else { return nil }
        if digits == 2 { out.append(UInt8(bits >> 4 & 0xff)) }
        if digits == 3 { out += [UInt8(bits >> 10 & 0xff), UInt8(bits >> 2 & 0xff)] }
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
