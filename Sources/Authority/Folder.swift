import Facts

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that holds keys, made whole in one step.
///
/// It is trusted only when it is ours, and closed to everyone else.
enum Folder {
    enum Found { case nothing, folder, somethingElse }

    static func find(_ path: String) -> Found {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            return unsafe lstat(path, &status) == 0 ? .somethingElse : .nothing
        }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : .somethingElse
    }

    /// Refuses a folder that belongs to someone else, and one that others can enter: whoever can change what lies
    /// there can give us a key of his own, and whoever can look may find one. The superuser is no exception: the
    /// folder's owner is someone else to him as well.
    static func requireOurs(_ path: String) throws(CAError) {
        var link = stat()
        var target = stat()
        guard unsafe lstat(path, &link) == 0, unsafe stat(path, &target) == 0 else { throw File.failed("read", path) }
        guard target.st_mode & S_IFMT == S_IFDIR else { throw CAError(.unusable, "\(path): it is not a folder") }
        if link.st_mode & S_IFMT == S_IFLNK, target.st_uid != geteuid() {
            throw CAError(
                .permissions, "\(path): it is a link to a folder of another user (uid \(target.st_uid))",
                hint: "give the folder itself with --ca, or make a new CA")
        }
        guard target.st_uid == geteuid() else {
            throw CAError(
                .permissions, "\(path): the folder belongs to another user (uid \(target.st_uid))",
                hint: File.adoption(of: path))
        }
        guard target.st_mode & 0o077 == 0 else {
            let what = target.st_mode & 0o022 == 0 ? "look into" : "write into"
            throw CAError(
                .permissions, "\(path): others can \(what) this folder (mode \(File.mode(target)))",
                hint: "chmod 700 \(path)")
        }
    }

    /// Refuses a folder that is there but cannot be listed: what is in it must not pass for absent.
    static func requireReadable(_ path: String) throws(CAError) {
        guard let folder = unsafe opendir(path) else {
            // A name that leads nowhere, or to a file, holds no CA: the caller says so in its own words.
            guard errno != ENOENT, errno != ENOTDIR else { return }
            throw File.failed("read", path)
        }
        unsafe closedir(folder)
    }

    /// Makes `path` appear with all of its files at once, or not at all.
    ///
    /// They are written into a folder beside it, which is then renamed: a reader sees the whole CA or none, and of
    /// two that make it at the same time one wins. False: something was there already (now, or before).
    static func publish(_ path: String, _ files: [(name: String, bytes: [UInt8], isSecret: Bool)]) throws -> Bool {
        let parent = parent(of: path)
        try makeParents(parent)
        let draft = try "\(parent)/\(draftPrefix(path))\(Hex.encode(Random.bytes(8)))"
        guard unsafe mkdir(draft, 0o700) == 0 else { throw File.failed("create", draft) }
        var isPublished = false
        defer { if !isPublished { discard(draft, files.map(\.name)) } }
        for file in files { try File.create("\(draft)/\(file.name)", file.bytes, isSecret: file.isSecret) }
        flush(draft)
        // Renaming onto an empty folder replaces it; onto one that holds anything it fails.
        if unsafe rename(draft, path) != 0 {
            if [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) { return false }
            throw File.failed("create", path)
        }
        isPublished = true
        flush(parent)
        return true
    }

    /// Removes what a killed process left beside `path`, once no living one can still be writing it.
    static func sweep(_ path: String, _ names: [String], now: Double) {
        let parent = parent(of: path)
        for entry in entries(parent) where entry.hasPrefix(draftPrefix(path)) {
            var status = stat()
            let draft = "\(parent)/\(entry)"
            guard unsafe lstat(draft, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
                modified(status) < now - draftLifetime
            else { continue }
            discard(draft, names)
        }
    }

    /// Removes these files, and the folder when nothing else is in it.
    @discardableResult
    static func discard(_ path: String, _ names: [String]) -> (removed: [String], folderGone: Bool) {
        let removed = names.filter { unsafe unlink("\(path)/\($0)") == 0 }
        return (removed, unsafe rmdir(path) == 0)
    }

    static func entries(_ path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var out: [String] = []
        while let entry = unsafe readdir(folder) {
            // d_name is a tuple in Swift: read it as the C string it is.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    unsafe String(cString: $0)
                }
            }
            if name != ".", name != ".." { out.append(name) }
        }
        return out.sorted()
    }

    /// An hour: making a CA takes milliseconds.
    static let draftLifetime = 3600.0

    static func draftPrefix(_ path: String) -> String { ".\(name(of: path)).new-" }

    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }

    private static func name(of path: String) -> String {
        String(trimmed(path).split(separator: "/").last ?? "ca")
    }

    static func parent(of path: String) -> String {
        let path = trimmed(path)
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func makeParents(_ path: String) throws(CAError) {
        guard find(path) == .nothing else { return }
        try makeParents(parent(of: path))
        guard unsafe mkdir(path, 0o755) == 0 || errno == EEXIST else { throw File.failed("create", path) }
    }

    private static func modified(_ status: stat) -> Double {
        #if canImport(Darwin)
            Double(status.st_mtimespec.tv_sec)
        #else
            Double(status.st_mtim.tv_sec)
        #endif
    }

    /// Makes the entries of a folder survive a power cut. Some file systems cannot; then it is as good as it gets.
    private static func flush(_ path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
