/// The files of a ZIP archive by its directory (PKWARE's APPNOTE 4.3), stored or deflated.
///
/// No encryption, and nothing beyond 4 GB.
struct ZipArchive {
    struct Entry: Hashable {
        var name: String
        var method: Int
        var isEncrypted: Bool
        var packed: Int
        var size: Int
        /// Of its own header.
        var offset: Int
    }

    /// One file unpacked; a body has the limit of a line of JSON lines.
    static let fileLimit = JSONLinesReader.lineLimit

    private let bytes: [UInt8]
    let entries: [Entry]

    init(_ bytes: [UInt8]) throws(ImportFault) {
        self.bytes = bytes
        // The end record is 22 bytes, with a comment of at most 65535 behind it.
        let earliest = max(0, bytes.count - 22 - 65535)
        let mark: [UInt8] = [0x50, 0x4b, 5, 6]
        guard bytes.count >= 22,
            let end = stride(from: bytes.count - 22, through: earliest, by: -1).first(where: {
                bytes[$0...].starts(with: mark)
            })
        else { throw ImportFault(place: "the file", reason: "this is no ZIP archive, or its end is missing") }
        let count = Self.number(bytes, end + 10, 2) ?? 0
        var at = Self.number(bytes, end + 16, 4) ?? 0
        var entries: [Entry] = []
        for _ in 0..<count {
            guard at <= bytes.count, bytes[at...].starts(with: [0x50, 0x4b, 1, 2] as [UInt8]),
                let flags = Self.number(bytes, at + 8, 2), let method = Self.number(bytes, at + 10, 2),
                let packed = Self.number(bytes, at + 20, 4), let size = Self.number(bytes, at + 24, 4),
                let name = Self.number(bytes, at + 28, 2), let extra = Self.number(bytes, at + 30, 2),
                let comment = Self.number(bytes, at + 32, 2), let offset = Self.number(bytes, at + 42, 4),
                at + 46 + name <= bytes.count
            else { throw ImportFault(place: "the file", reason: "the archive's directory is broken") }
            entries.append(
                Entry(
                    name: String(decoding: bytes[(at + 46)..<(at + 46 + name)], as: UTF8.self), method: method,
                    isEncrypted: flags & 1 != 0, packed: packed, size: size, offset: offset))
            at += 46 + name + extra + comment
        }
        self.entries = entries
    }

    /// - Parameter inflate: raw deflate data (RFC 1951), and the most bytes that may come of it; nil where it is none.
    func content(
        of entry: Entry, inflate: (ArraySlice<UInt8>, _ limit: Int) -> [UInt8]?
    ) throws(ImportFault) -> [UInt8] {
        func fault(_ reason: String) -> ImportFault { ImportFault(place: entry.name, reason: reason) }
        guard !entry.isEncrypted, entry.method != 99 else { throw fault("it is encrypted: save it without a password") }
        guard entry.size <= Self.fileLimit else { throw fault("it has more than \(Self.fileLimit) bytes") }
        guard entry.offset <= bytes.count, bytes[entry.offset...].starts(with: [0x50, 0x4b, 3, 4] as [UInt8]),
            let name = Self.number(bytes, entry.offset + 26, 2), let extra = Self.number(bytes, entry.offset + 28, 2)
        else { throw fault("it is not where the archive's directory says") }
        let start = entry.offset + 30 + name + extra
        guard start <= bytes.count, entry.packed <= bytes.count - start else {
            throw fault("the archive ends within it")
        }
        let packed = bytes[start..<(start + entry.packed)]
        switch entry.method {
        case 0: return Array(packed)
        case 8:
            guard let content = inflate(packed, entry.size), content.count == entry.size else {
                throw fault("it cannot be inflated")
            }
            return content
        default: throw fault("it is packed by method \(entry.method), and only deflate is known")
        }
    }

    /// Little-endian.
    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int? {
        guard at >= 0, at + count <= bytes.count else { return nil }
        return bytes[at..<(at + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
