/// The members of a ZIP archive by its directory (PKWARE's APPNOTE 4.3), stored or deflated.
///
///     let archive = try ZipArchive(size: size) { offset, count in file.read(offset, count) }
///     let content = try archive.content(of: archive.members[0], inflate: inflate)
///
/// It reads what is asked for and no more. Names are text to compare and to show, never a path on disk. What readers
/// of the format understand differently (two members of a name, members that lie over each other, hidden ones) is
/// refused, and so are encryption, and archives beyond 4 GB or 65535 members (ZIP64).
package struct ZipArchive {
    package struct Member: Hashable, Sendable {
        /// As it stands in the archive.
        package var name: String
        package var method: Int
        package var isEncrypted: Bool
        /// Bytes in the archive.
        package var packed: Int
        /// Bytes of its content, as the directory says.
        package var size: Int
        /// Of its own header.
        package var offset: Int
    }

    /// So many bytes from an offset; fewer where the file ends.
    package typealias Source = (_ offset: Int, _ count: Int) -> [UInt8]
    /// Raw deflate data (RFC 1951), and the most bytes that may come of it; nil where it is none, or more would come.
    package typealias Inflate = (_ packed: ArraySlice<UInt8>, _ limit: Int) -> [UInt8]?

    /// One member unpacked: larger ones are films and models, and whoever reads one holds it in memory.
    package static let memberLimit = 256 << 20
    /// Bytes of the directory; 65535 members with names of usual length have six million.
    private static let directoryLimit = 64 << 20

    package let members: [Member]
    private let byName: [String: Int]
    private let source: Source

    package init(_ bytes: [UInt8]) throws(ZipFault) {
        try self.init(size: bytes.count) { offset, count in
            guard offset >= 0, offset <= bytes.count, count > 0 else { return [] }
            return Array(bytes[offset..<(offset + min(count, bytes.count - offset))])
        }
    }

    /// - Parameter size: bytes of the whole file.
    package init(size: Int, source: @escaping Source) throws(ZipFault) {
        let end = try ZipDirectory.End(size: size, source)
        guard end.directorySize <= Self.directoryLimit else {
            throw ZipFault("its directory has more than \(Self.directoryLimit >> 20) MB")
        }
        members = try ZipDirectory.members(source(end.directory, end.directorySize), count: end.count)
        byName = try ZipDirectory.names(of: members)
        try ZipDirectory.checkPlaces(of: members, before: end.directory)
        self.source = source
    }

    package subscript(name: String) -> Member? { byName[name].map { members[$0] } }

    /// - Parameters:
    ///   - limit: the most bytes that it may have.
    /// - Throws: where it is encrypted, too large or broken.
    package func content(
        of member: Member, limit: Int = memberLimit, inflate: Inflate
    ) throws(ZipFault) -> [UInt8] {
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
        let header = source(member.offset, ZipDirectory.headerSize)
        guard let start = ZipDirectory.contentStart(header, at: member.offset) else {
            throw fault("it is not where the archive's directory says")
        }
        let packed = source(start, member.packed)
        guard packed.count == member.packed else { throw fault("the archive ends within it") }
        if member.method == ZipDirectory.stored {
            guard member.packed == member.size else { throw fault("it is stored, but not as long as it says") }
            return packed
        }
        guard let content = inflate(packed[...], member.size), content.count == member.size else {
            throw fault("it cannot be inflated")
        }
        return content
    }

    private static func words(for limit: Int) -> String {
        limit % (1 << 20) == 0 ? "\(limit >> 20) MB" : "\(limit) bytes"
    }
}

/// Why an archive, or one member of it, cannot be read.
package struct ZipFault: Error, Hashable, Sendable {
    /// Its name as it stands in the archive; nil where the archive is meant.
    package var member: String?
    package var reason: String

    package init(_ reason: String, member: String? = nil) {
        self.member = member
        self.reason = reason
    }

    /// For people, with the member's name where there is one.
    package var message: String {
        guard let member else { return reason }
        return "\(Printable.excerpt(member)): \(reason)"
    }
}
