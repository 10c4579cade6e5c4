/// An APK's `resources.arsc` (AOSP, ResourceTypes.h: ResTable).
struct CompiledResourceTable {
    private enum Chunk {
        static let stringPool = 0x0001
        static let table = 0x0002
        static let package = 0x0200
        static let type = 0x0201
    }

    /// Chunks on one level: a type has one for each configuration; the largest apps have some ten thousand.
    private static let chunkLimit = 200_000
    /// Bytes of a string that is asked for: a path or a version.
    private static let textLimit = 1 << 16

    private let bytes: LittleEndianBytes
    private var pool = StringPool.empty
    /// By package and type: one for each configuration.
    private var types: [UInt32: [LittleEndianBytes.Chunk]] = [:]

    init(_ bytes: [UInt8]) throws(PinFileFault) {
        self.bytes = LittleEndianBytes(bytes)
        guard let table = self.bytes.chunk(at: 0, before: bytes.count), table.type == Chunk.table else {
            throw PinFileFault(line: nil, "resources.arsc is no resource table, or is cut")
        }
        for chunk in children(of: table.body) {
            if chunk.type == Chunk.stringPool, pool.isEmpty {
                pool = StringPool(self.bytes, chunk) ?? .empty
            } else if chunk.type == Chunk.package, let id = self.bytes.uint32(chunk.whole.lowerBound + 8), id <= 0xff {
                for child in children(of: chunk.body) where child.type == Chunk.type {
                    guard let type = self.bytes.uint8(child.whole.lowerBound + 8) else { continue }
                    types[id << 8 | UInt32(type), default: []].append(child)
                }
            }
        }
    }

    /// Up to the first that is broken.
    private func children(of range: Range<Int>) -> [LittleEndianBytes.Chunk] {
        var chunks: [LittleEndianBytes.Chunk] = []
        var at = range.lowerBound
        while chunks.count < Self.chunkLimit, let chunk = bytes.chunk(at: at, before: range.upperBound) {
            chunks.append(chunk)
            at = chunk.whole.upperBound
        }
        return chunks
    }

    /// Every text of every resource, with a zero behind it, as many as fit together into a piece.
    ///
    /// - Parameter limit: bytes in all; what says that its texts lie over each other has more than its own size.
    func texts(limit: Int, _ take: (_ piece: [UInt8]) -> Void) {
        var piece: [UInt8] = []
        var left = limit
        for index in 0..<pool.count where left > 0 {
            guard let text = pool.text(index, limit: min(left, Self.textLimit)) else { continue }
            piece += Array(text.utf8) + [0]
            left -= text.utf8.count + 1
            guard piece.count >= Self.textLimit else { continue }
            take(piece)
            piece = []
        }
        take(piece)
    }

    func entries(of id: UInt32) -> [ResourceTable.Entry] {
        var entries: [ResourceTable.Entry] = []
        for type in (types[id >> 16] ?? []).prefix(ResourceTable.entryLimit) {
            guard let offset = offset(of: Int(id & 0xffff), in: type), let value = value(at: offset, in: type) else {
                continue
            }
            entries.append(ResourceTable.Entry(isDefault: isDefault(type), value: value))
        }
        return entries
    }

    /// Of the entry, from the file's start.
    private func offset(of index: Int, in type: LittleEndianBytes.Chunk) -> Int? {
        let at = type.whole.lowerBound
        guard let flags = bytes.uint8(at + 9), let count = bytes.uint32(at + 12).map(Int.init),
            let start = bytes.uint32(at + 16).map(Int.init)
        else { return nil }
        let table = LittleEndianBytes(bytes, upTo: type.whole.upperBound)
        let offsets = type.body.lowerBound
        // Sparse: pairs of a number and a quarter of the offset. Else every number has its place.
        if flags & 1 != 0 {
            for place in 0..<min(count, type.body.count / 4, ResourceTable.typeLimit)
            where table.uint16(offsets + place * 4) == index {
                return table.uint16(offsets + place * 4 + 2).map { at + start + $0 * 4 }
            }
            return nil
        }
        guard index < count else { return nil }
        if flags & 2 != 0 {
            return table.uint16(offsets + index * 2).flatMap { $0 == 0xffff ? nil : at + start + $0 * 4 }
        }
        return table.uint32(offsets + index * 4).flatMap { $0 == UInt32.max ? nil : at + start + Int($0) }
    }

    private func value(at offset: Int, in type: LittleEndianBytes.Chunk) -> ResourceTable.Value? {
        let table = LittleEndianBytes(bytes, upTo: type.whole.upperBound)
        guard let size = table.uint16(offset), let flags = table.uint16(offset + 2) else { return nil }
        // A bag of values has none that is asked for here.
        guard flags & 1 == 0 else { return nil }
        // Compact: the value stands where others have their name.
        let isCompact = flags & 8 != 0
        guard let kind = isCompact ? UInt8(flags >> 8) : table.uint8(offset + size + 3),
            let data = table.uint32(isCompact ? offset + 4 : offset + size + 4)
        else { return nil }
        switch kind {
        case CompiledValue.Kind.string: return pool.text(Int(data), limit: Self.textLimit).map { .text($0) }
        case CompiledValue.Kind.reference, CompiledValue.Kind.dynamicReference: return .reference(data)
        default: return .number(type: kind, data: data)
        }
    }

    /// Its configuration is all zero but for its size.
    private func isDefault(_ type: LittleEndianBytes.Chunk) -> Bool {
        let at = type.whole.lowerBound + 20
        guard let size = bytes.uint32(at), let rest = bytes.slice(at + 4, min(Int(size), type.body.lowerBound - at) - 4)
        else { return true }
        return rest.allSatisfy { $0 == 0 }
    }
}
