/// A bounds-checked reading position in bytes that belong to someone else.
///
/// It holds offsets only: every read is given the bytes again, so that nothing is copied or retained.
struct ByteCursor {
    private(set) var at: Int
    let end: Int

    /// What of `range` lies outside of `bytes` is cut off.
    init(_ range: Range<Int>, in bytes: Span<UInt8>) {
        at = max(0, min(range.lowerBound, bytes.count))
        end = max(at, min(range.upperBound, bytes.count))
    }

    var remaining: Int { end - at }

    mutating func uint8(_ bytes: Span<UInt8>) -> UInt8? {
        guard at < end, at < bytes.count else { return nil }
        defer { at += 1 }
        return bytes[at]
    }

    mutating func uint16(_ bytes: Span<UInt8>) -> UInt16? {
        guard remaining >= 2, at + 1 < bytes.count else { return nil }
        defer { at += 2 }
        return UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
    }

    mutating func uint24(_ bytes: Span<UInt8>) -> Int? {
        guard remaining >= 3, at + 2 < bytes.count else { return nil }
        defer { at += 3 }
        return Int(bytes[at]) << 16 | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
    }

    /// The next `length` bytes.
    mutating func block(_ length: Int) -> Range<Int>? {
        guard length >= 0, length <= remaining else { return nil }
        defer { at += length }
        return at..<(at + length)
    }

    /// A vector with a length of one byte before it.
    mutating func block8(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard let length = uint8(bytes) else { return nil }
        return block(Int(length))
    }

    /// A vector with a length of two bytes before it.
    mutating func block16(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard let length = uint16(bytes) else { return nil }
        return block(Int(length))
    }
}

extension Array where Element == UInt8 {
    /// A copy of a piece of borrowed bytes; what lies outside of them is left out.
    init(copying bytes: Span<UInt8>, _ range: Range<Int>) {
        self.init()
        append(copying: bytes, range)
    }

    mutating func append(copying bytes: Span<UInt8>, _ range: Range<Int>) {
        let range = range.clamped(to: 0..<bytes.count)
        reserveCapacity(count + range.count)
        for index in range { append(bytes[index]) }
    }

    mutating func append(bigEndian value: UInt16) {
        append(UInt8(value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }
}
