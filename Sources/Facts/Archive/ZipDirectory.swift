/// The records of a ZIP archive (PKWARE's APPNOTE 4.3.7, 4.3.12 and 4.3.16), checked.
enum ZipDirectory {
    static let stored = 0
    static let deflated = 8
    /// AES, by a vendor's method number.
    static let encrypted = 99
    /// A member's own, without its name and its extra field.
    static let headerSize = 30

    /// What the archive ends with: where its directory lies.
    struct End {
        var directory: Int
        var directorySize: Int
        var count: Int

        /// Without the comment, which has at most 65535 bytes.
        private static let size = 22

        init(size: Int, _ source: ZipArchive.Source) throws(ZipFault) {
            let length = min(max(size, 0), Self.size + 0xffff)
            let tail = source(size - length, length)
            // The record is what reaches to the end with its comment; one within a comment does not.
            let mark: [UInt8] = [0x50, 0x4b, 5, 6]
            guard tail.count == length, length >= Self.size,
                let at = stride(from: length - Self.size, through: 0, by: -1).first(where: {
                    tail[$0] == 0x50 && tail[$0...].starts(with: mark)
                        && number(tail, $0 + 20, 2) == length - Self.size - $0
                })
            else { throw ZipFault("this is no ZIP archive, or its end is missing") }
            count = number(tail, at + 10, 2) ?? 0
            directorySize = number(tail, at + 12, 4) ?? 0
            directory = number(tail, at + 16, 4) ?? 0
            guard count != 0xffff, directorySize != 0xffff_ffff, directory != 0xffff_ffff else {
                throw ZipDirectory.isZIP64
            }
            guard directory <= size - length + at, directorySize <= size - length + at - directory else {
                throw ZipFault("the archive's directory is not where its end says")
            }
        }
    }

    private static let isZIP64 = ZipFault("it is a ZIP64 archive, beyond 4 GB or 65535 files, which is not read")

    static func members(_ bytes: [UInt8], count: Int) throws(ZipFault) -> [ZipArchive.Member] {
        var members: [ZipArchive.Member] = []
        members.reserveCapacity(min(count, bytes.count / 46))
        var at = 0
        while at < bytes.count, bytes[at...].starts(with: [0x50, 0x4b, 1, 2] as [UInt8]) {
            guard let flags = number(bytes, at + 8, 2), let method = number(bytes, at + 10, 2),
                let packed = number(bytes, at + 20, 4), let size = number(bytes, at + 24, 4),
                let name = number(bytes, at + 28, 2), let extra = number(bytes, at + 30, 2),
                let comment = number(bytes, at + 32, 2), let offset = number(bytes, at + 42, 4),
                46 + name + extra + comment <= bytes.count - at
            else { throw ZipFault("the archive's directory is broken") }
            guard packed != 0xffff_ffff, size != 0xffff_ffff, offset != 0xffff_ffff else { throw isZIP64 }
            members.append(
                ZipArchive.Member(
                    name: String(decoding: bytes[(at + 46)..<(at + 46 + name)], as: UTF8.self), method: method,
                    isEncrypted: flags & 1 != 0, packed: packed, size: size, offset: offset))
            at += 46 + name + extra + comment
        }
        guard members.count == count else {
            throw ZipFault(
                "the archive's directory has \(English.count(members.count, "file")), and its end says \(count)")
        }
        return members
    }

    static func names(of members: [ZipArchive.Member]) throws(ZipFault) -> [String: Int] {
        var names: [String: Int] = [:]
        names.reserveCapacity(members.count)
        for (index, member) in members.enumerated() {
            guard names.updateValue(index, forKey: member.name) == nil else {
                throw ZipFault(
                    "it is in the archive twice, and readers differ in which one counts", member: member.name)
            }
        }
        return names
    }

    /// A bomb packs one stretch of bytes into many members; an honest writer puts one behind the other.
    static func checkPlaces(of members: [ZipArchive.Member], before end: Int) throws(ZipFault) {
        var last: (name: String, end: Int)?
        for member in members.sorted(by: { $0.offset < $1.offset }) {
            // Its extra field is not known here; what is known is enough.
            let memberEnd = member.offset + headerSize + member.packed
            guard memberEnd <= end else { throw ZipFault("the archive ends within it", member: member.name) }
            if let last, member.offset < last.end {
                throw ZipFault("it lies over \(Printable.excerpt(last.name)) in the archive", member: member.name)
            }
            last = (member.name, memberEnd)
        }
    }

    static func contentStart(_ header: [UInt8], at offset: Int) -> Int? {
        guard header.count == headerSize, header.starts(with: [0x50, 0x4b, 3, 4] as [UInt8]),
            let name = number(header, 26, 2), let extra = number(header, 28, 2)
        else { return nil }
        return offset + headerSize + name + extra
    }

    /// Little-endian, of at most four bytes.
    static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int? {
        guard at >= 0, at <= bytes.count - count else { return nil }
        return bytes[at..<(at + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
