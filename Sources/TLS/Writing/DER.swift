import Facts

/// Writes ASN.1 values in DER: bytes in, bytes out, nothing parsed and nothing kept.
enum DER {
    typealias Bytes = [UInt8]

    /// Tag, length (definite, shortest form) and content.
    static func tagged(_ tag: UInt8, _ content: some Collection<UInt8>) -> Bytes {
        var out: Bytes = []
        let count = content.count
        out.reserveCapacity(count + 6)
        out.append(tag)
        if count < 0x80 {
            out.append(UInt8(count))
        } else {
            let size = (64 - count.leadingZeroBitCount + 7) / 8
            out.append(0x80 | UInt8(size))
            for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
                out.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
        out.append(contentsOf: content)
        return out
    }

    static func boolean(_ value: Bool) -> Bytes { [0x01, 0x01, value ? 0xff : 0x00] }
    static let null: Bytes = [0x05, 0x00]

    /// A non-negative INTEGER from its magnitude, most significant byte first.
    static func integer(_ magnitude: some Collection<UInt8>) -> Bytes {
        var content = Bytes(magnitude.drop { $0 == 0 })
        // Without the zero a first bit of one would make it negative; and zero itself is one zero byte.
        if content.first.map({ $0 & 0x80 != 0 }) ?? true { content.insert(0, at: 0) }
        return tagged(0x02, content)
    }

    static func integer(_ value: UInt) -> Bytes {
        integer(stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) })
    }

    static func bitString(_ bytes: some Collection<UInt8>, unusedBits: UInt8 = 0) -> Bytes {
        tagged(0x03, [unusedBits] + Bytes(bytes))
    }

    /// A BIT STRING of named bits: bit 0 is the first, trailing zeros are left out (X.690 §11.2.2).
    static func namedBits(_ bits: Set<Int>) -> Bytes {
        guard let last = bits.max() else { return bitString([]) }
        var bytes = Bytes(repeating: 0, count: last / 8 + 1)
        for bit in bits where bit >= 0 { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return bitString(bytes, unusedBits: UInt8(7 - last % 8))
    }

    static func octetString(_ bytes: some Collection<UInt8>) -> Bytes { tagged(0x04, bytes) }
    static func utf8String(_ text: String) -> Bytes { tagged(0x0c, Bytes(text.utf8)) }

    /// Arcs of an object identifier; at least two.
    static func oid(_ arcs: UInt...) -> Bytes {
        precondition(arcs.count >= 2, "an object identifier is written in our own source, with two arcs or more")
        var content: Bytes = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs[2...] {
            var groups = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            content += groups.reversed()
        }
        return tagged(0x06, content)
    }

    /// UTCTime through 2049, GeneralizedTime after it (RFC 5280 §4.1.2.5), and before 1950.
    static func time(_ unixSeconds: Int64) -> Bytes {
        let year = UTCTime(unix: unixSeconds).date.year
        return (1950...2049).contains(year)
            ? tagged(0x17, Bytes(digits(unixSeconds).dropFirst(2))) : generalizedTime(unixSeconds)
    }

    /// GeneralizedTime in any year, as OCSP has it (RFC 6960 §4.2.2.1).
    static func generalizedTime(_ unixSeconds: Int64) -> Bytes { tagged(0x18, digits(unixSeconds)) }

    private static func digits(_ unixSeconds: Int64) -> Bytes {
        Bytes(UTCTime(unix: unixSeconds).compact.utf8.filter { $0 != UInt8(ascii: "T") })
    }

    static func sequence(_ parts: Bytes...) -> Bytes { sequence(parts) }
    static func sequence(_ parts: [Bytes]) -> Bytes { tagged(0x30, Bytes(parts.joined())) }

    /// SET OF: the elements in ascending order of their encodings (X.690 §11.6).
    static func set(_ elements: Bytes...) -> Bytes {
        tagged(0x31, Bytes(elements.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
    }

    /// `[number] EXPLICIT`: the value stands whole inside the tag.
    static func explicit(_ number: UInt8, _ value: Bytes) -> Bytes { tagged(0xa0 | number, value) }

    /// `[number] IMPLICIT` around content that has no tag of its own.
    static func implicit(
        _ number: UInt8, constructed: Bool = false, _ content: some Collection<UInt8>
    ) -> Bytes { tagged((constructed ? 0xa0 : 0x80) | number, content) }
}

/// One element of DER: where its parts are.
///
/// Only for low tag numbers, which is all that certificates use.
struct DERElement {
    let tag: UInt8
    let content: Range<Int>
    /// Where the next element begins.
    var end: Int { content.upperBound }

    /// The element that begins at `start`; nil when the bytes do not hold a whole one.
    init?(_ bytes: [UInt8], at start: Int, before limit: Int? = nil) {
        let limit = min(limit ?? bytes.count, bytes.count)
        guard start >= 0, start + 2 <= limit, bytes[start] & 0x1f != 0x1f else { return nil }
        var begin = start + 2
        var count = Int(bytes[start + 1])
        if count >= 0x80 {
            // Four bytes of length are more than any certificate needs, and cannot overflow.
            let size = count & 0x7f
            guard (1...4).contains(size), begin + size <= limit else { return nil }
            count = bytes[begin..<begin + size].reduce(0) { $0 << 8 | Int($1) }
            begin += size
        }
        guard count <= limit - begin else { return nil }
        tag = bytes[start]
        content = begin..<begin + count
    }

    /// The elements inside a range, in order; nil when they do not fill it exactly.
    static func children(_ bytes: [UInt8], in range: Range<Int>) -> [DERElement]? {
        var out: [DERElement] = []
        var at = range.lowerBound
        while at < range.upperBound {
            guard let element = DERElement(bytes, at: at, before: range.upperBound) else { return nil }
            out.append(element)
            at = element.end
        }
        return out
    }
}
