/// Bytes of a file in little-endian order; whatever lies outside is nil.
struct LittleEndianBytes {
    /// AOSP's ResChunk_header: what every part of a compiled resource begins with.
    struct Chunk {
        var type: Int
        /// From its header's first byte.
        var whole: Range<Int>
        /// Behind its header.
        var body: Range<Int>
    }

    private let bytes: [UInt8]
    let count: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        count = bytes.count
    }

    /// The same, as if it ended earlier.
    init(_ other: LittleEndianBytes, upTo end: Int) {
        bytes = other.bytes
        count = max(0, min(end, other.count))
    }

    func uint8(_ at: Int) -> UInt8? { at >= 0 && at < count ? bytes[at] : nil }

    func uint16(_ at: Int) -> Int? {
        guard at >= 0, at <= count - 2 else { return nil }
        return Int(bytes[at]) | Int(bytes[at + 1]) << 8
    }

    func uint32(_ at: Int) -> UInt32? {
        guard at >= 0, at <= count - 4 else { return nil }
        return UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16
            | UInt32(bytes[at + 3]) << 24
    }

    func slice(_ at: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard at >= 0, length >= 0, at <= count, length <= count - at else { return nil }
        return bytes[at..<(at + length)]
    }

    /// nil where it does not lie before `end` whole. It has at least 8 bytes: whoever goes on from its end arrives.
    func chunk(at: Int, before end: Int) -> Chunk? {
        guard let type = uint16(at), let header = uint16(at + 2), let size = uint32(at + 4).map(Int.init), header >= 8,
            header <= size, end <= count, size <= end - at
        else { return nil }
        return Chunk(type: type, whole: at..<(at + size), body: (at + header)..<(at + size))
    }
}
