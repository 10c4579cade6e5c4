import Facts
import Loop

/// A ZIP archive that cannot be read as one: names of members stand in it all the same.
enum BrokenArchive {
    /// Before a name: of a member's own header, and of its entry in the directory (PKWARE's APPNOTE 4.3.7, 4.3.12).
    private static let records: [(mark: [UInt8], length: Int, name: Int)] = [
        ([0x50, 0x4b, 3, 4], 26, 30), ([0x50, 0x4b, 1, 2], 28, 46),
    ]
    /// Bytes of a name that are looked at; nothing that is looked for has more.
    private static let nameLimit = 1024
    private static let reach = 46 + nameLimit

    /// Whether one of its members has a name of this kind.
    static func names(in path: String, contain isWanted: (String) -> Bool) throws -> Bool {
        var found = false
        var rest: [UInt8] = []
        try Files.readPieces(of: path, limit: .max) { piece in
            rest += piece
            // What begins near the end is looked at once more of it has come.
            let end = max(0, rest.count - reach)
            found = contains(rest, from: 0..<end, isWanted)
            rest.removeFirst(end)
            return !found
        }
        return found || contains(rest, from: rest.indices, isWanted)
    }

    private static func contains(_ bytes: [UInt8], from starts: Range<Int>, _ isWanted: (String) -> Bool) -> Bool {
        for start in starts where bytes[start] == 0x50 {
            guard let record = records.first(where: { bytes[start...].starts(with: $0.mark) }),
                start + record.name <= bytes.count
            else { continue }
            let place = start + record.length
            let length = Int(bytes[place]) | Int(bytes[place + 1]) << 8
            let name = bytes[(start + record.name)...].prefix(length)
            if length <= nameLimit, name.count == length, isWanted(String(decoding: name, as: UTF8.self)) {
                return true
            }
        }
        return false
    }
}
