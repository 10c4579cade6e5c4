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
    /// The next packed bytes of raw deflate data (RFC 1951); nil where they are none, or more than its limit comes.
    package typealias InflateStep = (_ packed: ArraySlice<UInt8>) -> [UInt8]?
    /// Begins a member, of which at most so many bytes may come.
    package typealias Inflate = (_ limit: Int) -> InflateStep

    /// One member unpacked: larger ones are films and models, and whoever reads one holds it in memory.
    package static let memberLimit = 256 << 20
    /// Bytes of the directory; 65535 members with names of usual length have six million.
    private static let directoryLimit = 64 << 20

    package let members: [Member]
    private let byName: [String: Int]
    let source: Source

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
