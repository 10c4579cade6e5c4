/// The strings of a compiled resource, each decoded when it is asked for.
///
/// AOSP, ResourceTypes.h: ResStringPool.
struct StringPool {
    static let empty = StringPool()

    private let bytes: LittleEndianBytes
    private let offsets: Range<Int>
    /// Where the strings begin.
    private let start: Int
    private let isUTF8: Bool
    private var decoded: [Int: String] = [:]

    private init() {
        bytes = LittleEndianBytes([])
        offsets = 0..<0
        start = 0
        isUTF8 = false
    }

    init?(_ bytes: LittleEndianBytes, _ chunk: LittleEndianBytes.Chunk) {
        let at = chunk.whole.lowerBound
        guard let count = bytes.uint32(at + 8), let flags = bytes.uint32(at + 16),
            let start = bytes.uint32(at + 20).map(Int.init),
            Int(count) * 4 <= chunk.body.count, start <= chunk.whole.count
        else { return nil }
        self.bytes = LittleEndianBytes(bytes, upTo: chunk.whole.upperBound)
        offsets = chunk.body.lowerBound..<(chunk.body.lowerBound + Int(count) * 4)
        self.start = at + start
        isUTF8 = flags & 0x100 != 0
    }

    var isEmpty: Bool { offsets.isEmpty }
    var count: Int { offsets.count / 4 }

    /// - Returns: the text, nil where there is none of that number; and whether it was decoded just now.
    mutating func string(_ index: Int) -> (text: String?, isNew: Bool) {
        if let text = decoded[index] { return (text, false) }
        guard let text = text(index, limit: Int.max) else { return (nil, false) }
        decoded[index] = text
        return (text, true)
    }

    /// nil also where it has more than so many bytes.
    func text(_ index: Int, limit: Int) -> String? {
        guard index >= 0, index < offsets.count / 4, let offset = bytes.uint32(offsets.lowerBound + index * 4) else {
            return nil
        }
        return isUTF8 ? utf8(start + Int(offset), limit) : utf16(start + Int(offset), limit)
    }

    /// Its length in UTF-16 units, then in bytes, each in one byte or in two with the highest bit set.
    private func utf8(_ at: Int, _ limit: Int) -> String? {
        guard let units = short(at), let length = short(at + units.width), length.value <= limit,
            let slice = bytes.slice(at + units.width + length.width, length.value)
        else { return nil }
        return String(decoding: slice, as: UTF8.self)
    }

    private func short(_ at: Int) -> (value: Int, width: Int)? {
        guard let first = bytes.uint8(at).map(Int.init) else { return nil }
        guard first & 0x80 != 0 else { return (first, 1) }
        return bytes.uint8(at + 1).map { ((first & 0x7f) << 8 | Int($0), 2) }
    }

    private func utf16(_ at: Int, _ limit: Int) -> String? {
        guard var length = bytes.uint16(at) else { return nil }
        var start = at + 2
        if length & 0x8000 != 0 {
            guard let low = bytes.uint16(at + 2) else { return nil }
            length = (length & 0x7fff) << 16 | low
            start += 2
        }
        guard length * 2 <= limit, let slice = bytes.slice(start, length * 2) else { return nil }
        let units = stride(from: slice.startIndex, to: slice.endIndex, by: 2).map {
            UInt16(slice[$0]) | UInt16(slice[$0 + 1]) << 8
        }
        return String(decoding: units, as: UTF16.self)
    }
}
