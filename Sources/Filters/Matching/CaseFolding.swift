/// Text in which the case of letters makes no difference.
///
/// ASCII letters become lower-case; of the others, those whose upper and lower case are one character each. So `Ä` is `ä`
/// and `Σ`, `σ`, `ς` are one, but `ß` is not `ss`. No letter outside of ASCII becomes one inside it (the Kelvin sign
/// stays what it is), so that text in ASCII can be compared byte by byte.
package enum CaseFolding {
    /// Of UTF-8. Bytes that are none stay as they are.
    package static func folded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        var next = rest.next()
        // Of a sequence that is not whole yet.
        var pending: [UInt8] = []
        while let byte = next {
            if pending.isEmpty, byte < 0x80 {
                out.append(ascii(byte))
                next = rest.next()
                continue
            }
            if pending.isEmpty {
                pending.append(byte)
                next = rest.next()
            } else if byte & 0xc0 == 0x80, pending.count < length(pending[0]) {
                pending.append(byte)
                next = rest.next()
            } else {
                out += pending
                pending.removeAll(keepingCapacity: true)
                continue
            }
            guard pending.count == length(pending[0]) else { continue }
            if let scalar = scalar(pending) {
                out.append(contentsOf: UTF8.encode(fold(scalar)) ?? .init())
            } else {
                out += pending
            }
            pending.removeAll(keepingCapacity: true)
        }
        return out + pending
    }

    @inline(__always)
    static func ascii(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// How many bytes begin with this one; 1 for what begins nothing.
    private static func length(_ lead: UInt8) -> Int {
        switch lead {
        case 0xc2...0xdf: 2
        case 0xe0...0xef: 3
        case 0xf0...0xf4: 4
        default: 1
        }
    }

    /// The one scalar that the bytes are; nil where they are no UTF-8 (RFC 3629).
    private static func scalar(_ bytes: [UInt8]) -> Unicode.Scalar? {
        var value = UInt32(bytes[0])
        switch bytes.count {
        case 2: value &= 0x1f
        case 3: value &= 0x0f
        case 4: value &= 0x07
        default: return nil
        }
        for byte in bytes.dropFirst() { value = value << 6 | UInt32(byte & 0x3f) }
        let least: UInt32 = bytes.count == 2 ? 0x80 : bytes.count == 3 ? 0x800 : 0x1_0000
        return value < least ? nil : Unicode.Scalar(value)
    }

    /// The lower case of the upper case, where each is one character.
    package static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let value = scalar.value
        if value < 0x80 { return Unicode.Scalar(ascii(UInt8(truncatingIfNeeded: value))) }
        if value < 0x80 + UInt32(common.count) { return common[Int(value) - 0x80] }
        // No script in here has cases: Chinese, Japanese, Korean, and the symbols.
        if (0x2e80..<0xa640).contains(value) || (0xac00..<0xfb00).contains(value) || value >= 0x1_f000 { return scalar }
        return looked(up: scalar)
    }

    private static func looked(up scalar: Unicode.Scalar) -> Unicode.Scalar {
        let upper = only(scalar.properties.uppercaseMapping) ?? scalar
        guard let lower = only(upper.properties.lowercaseMapping), lower.value >= 0x80 else { return scalar }
        return lower
    }

    /// Latin, Greek, Cyrillic, Armenian, Hebrew: looking a letter up costs a hundred times as much.
    private static let common: [Unicode.Scalar] = (UInt32(0x80)..<0x600).compactMap {
        Unicode.Scalar($0).map(looked(up:))
    }

    private static func only(_ text: String) -> Unicode.Scalar? {
        var scalars = text.unicodeScalars.makeIterator()
        guard let first = scalars.next(), scalars.next() == nil else { return nil }
        return first
    }
}
