#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the system says of a file or folder: what it is, whose, and who may do what with it.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Sendable { case file, folder, link, other }

    package let kind: Kind
    /// The owner's number.
    package let owner: UInt32
    /// The bits that chmod sets.
    package let mode: Int
    /// In bytes; of what is no file nothing that means much.
    package let size: Int
    /// Unix seconds.
    package let modified: Double
    /// The same for whatever leads to it; another one for what has taken its place.
    package let identity: Identity

    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let node: UInt64
    }

    /// Of what a path leads to, or of the link itself.
    package init(of path: String, followingLinks: Bool = true) throws(SystemError) {
        var status = stat()
        let result = followingLinks ? unsafe stat(path, &status) : unsafe lstat(path, &status)
        guard result == 0 else { throw SystemError("stat") }
        self.init(status)
    }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        owner = status.st_uid
        mode = Int(status.st_mode) & 0o7777
        size = Int(status.st_size)
        identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(status.st_ino))
        #if canImport(Darwin)
            modified = Double(status.st_mtimespec.tv_sec)
        #else
            modified = Double(status.st_mtim.tv_sec)
        #endif
    }

    /// Its owner is the user that this process acts for.
    package var isOurs: Bool { owner == ProcessControl.userID }

    /// `0644`
    package var modeDigits: String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
