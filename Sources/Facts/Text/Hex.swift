/// Lower-case hexadecimal digits of bytes.
package enum Hex {
    package static func encode(_ bytes: some Collection<UInt8>) -> String { encode(Array(bytes)) }

    /// Not generic, so that it is as fast for other modules: every body's hash goes through it.
    package static func encode(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            out.append(symbol(byte >> 4))
            out.append(symbol(byte))
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The bytes of an even number of digits, of either case; nil where there is anything else.
    package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var out: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            out.append(high << 4 | low)
        }
        return out
    }

    /// Four digits.
    package static func append(_ value: UInt16, to out: inout [UInt8]) {
        for shift in [12, 8, 4, 0] { out.append(symbol(UInt8(truncatingIfNeeded: value >> UInt16(shift)))) }
    }

    /// Of the lower four bits.
    package static func symbol(_ nibble: UInt8) -> UInt8 {
        let digit = nibble & 15
        return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}
