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
