/// Lower-case hexadecimal digits of bytes.
package enum Hex {
    private static let symbols = Array("0123456789abcdef".utf8)

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
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
        for shift in [12, 8, 4, 0] { out.append(symbols[Int(value >> UInt16(shift)) & 15]) }
    }

    /// Of the lower four bits.
    package static func symbol(_ nibble: UInt8) -> UInt8 { symbols[Int(nibble & 15)] }
}
