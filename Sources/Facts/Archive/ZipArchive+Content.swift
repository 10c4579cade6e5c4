extension ZipArchive {
    /// Packed bytes that are read at a time; deflate makes at most a thousand times as many of them.
    private static let pieceSize = 16 << 10

    /// A member's whole content.
    ///
    /// - Parameter limit: the most bytes that it may have.
    /// - Throws: where it is encrypted, too large or broken.
    package func content(of member: Member, limit: Int = memberLimit, inflate: Inflate) throws(ZipFault) -> [UInt8] {
        var content: [UInt8] = []
        try pieces(of: member, limit: limit, inflate: inflate) { piece in
            content += piece
            return true
        }
        return content
    }

    /// Hands out a member's content piece by piece, so that no large one has to be in memory.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that it may have.
    ///   - take: false where it wants no more; what comes behind is then not looked at.
    /// - Throws: where it is encrypted, too large or broken: also behind pieces that came out.
    package func pieces(
        of member: Member, limit: Int = memberLimit, inflate: Inflate, _ take: (_ piece: [UInt8]) -> Bool
    ) throws(ZipFault) {
        func fault(_ reason: String) -> ZipFault { ZipFault(reason, member: member.name) }
        let isStored = member.method == ZipDirectory.stored
        let start = try start(of: member, limit: limit)
        let step = isStored ? { Array($0) } : inflate(member.size)
        var (read, made) = (0, 0)
        while read < member.packed {
            let packed = source(start + read, min(Self.pieceSize, member.packed - read))
            guard !packed.isEmpty else { throw fault("the archive ends within it") }
            read += packed.count
            guard let piece = step(packed[...]), piece.count <= member.size - made else {
                throw fault("it cannot be inflated")
            }
            made += piece.count
            guard piece.isEmpty || take(piece) else { return }
        }
        guard made == member.size else { throw fault("it cannot be inflated") }
    }

    /// An archive that is a member of this one: read where it lies if it is stored, else unpacked into memory.
    ///
    /// - Throws: where it cannot be read, as a member or as an archive.
    package func archive(in member: Member, inflate: Inflate) throws(ZipFault) -> ZipArchive {
        guard member.method == ZipDirectory.stored else {
            return try ZipArchive(try content(of: member, inflate: inflate))
        }
        let (start, source) = (try start(of: member, limit: .max), source)
        return try ZipArchive(size: member.size) { offset, count in
            guard offset >= 0, offset <= member.size, count > 0 else { return [] }
            return source(start + offset, min(count, member.size - offset))
        }
    }

    /// Where its packed bytes begin, once nothing speaks against reading them.
    private func start(of member: Member, limit: Int) throws(ZipFault) -> Int {
        func fault(_ reason: String) -> ZipFault { ZipFault(reason, member: member.name) }
        guard !member.isEncrypted, member.method != ZipDirectory.encrypted else {
            throw fault("it is encrypted: save it without a password")
        }
        guard member.method == ZipDirectory.stored || member.method == ZipDirectory.deflated else {
            throw fault("it is packed by method \(member.method), and only deflate is known")
        }
        guard member.size <= limit, member.packed <= limit else {
            throw fault("it has more than \(Self.words(for: limit)), the most that is read of one")
        }
        guard member.method != ZipDirectory.stored || member.packed == member.size else {
            throw fault("it is stored, but not as long as it says")
        }
        let header = source(member.offset, ZipDirectory.headerSize)
        guard let start = ZipDirectory.contentStart(header, at: member.offset) else {
            throw fault("it is not where the archive's directory says")
        }
        return start
    }

    private static func words(for limit: Int) -> String {
        limit % (1 << 20) == 0 ? "\(limit >> 20) MB" : "\(limit) bytes"
    }
}
