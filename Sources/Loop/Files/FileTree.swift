#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What lies where: entries of folders, made, renamed and removed by one system call each.
package enum FileTree {
    /// The names in a folder, sorted.
    ///
    /// - Parameter whole: a name that is no UTF-8 is an error (EILSEQ), as nobody finds it again by what it is repaired to.
    package static func entries(of path: String, whole: Bool = false) throws(SystemError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw SystemError("opendir") }
        defer { unsafe closedir(folder) }
        var out: [String] = []
        while true {
            // The end and a failure are told apart by that alone.
            clearErrno()
            guard let entry = unsafe readdir(folder) else {
                guard errno == 0 else { throw SystemError("readdir") }
                break
            }
            // d_name is a tuple in Swift: read it as the C string it is.
            let (name, isRepaired) = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    unsafe (String(cString: $0), String(validatingCString: $0) == nil)
                }
            }
            if whole, isRepaired { throw SystemError("readdir", EILSEQ) }
            if name != ".", name != ".." { out.append(name) }
        }
        return out.sorted()
    }

    package static func makeFolder(_ path: String, mode: Int) throws(SystemError) {
        guard unsafe mkdir(path, mode_t(mode)) == 0 else { throw SystemError("mkdir") }
    }

    /// Takes the place of an empty folder; of one that holds anything it does not.
    package static func rename(_ path: String, to new: String) throws(SystemError) {
        guard moved(path, new) == 0 else { throw SystemError("rename") }
    }

    /// Whether the file is gone by this.
    package static func removeFile(_ path: String) -> Bool { unsafe unlink(path) == 0 }

    /// Whether the folder, which has to be empty, is gone by this.
    package static func removeFolder(_ path: String) -> Bool { unsafe rmdir(path) == 0 }

    /// Sets the bits of chmod.
    package static func setMode(_ mode: Int, of path: String) throws(SystemError) {
        guard unsafe chmod(path, mode_t(mode)) == 0 else { throw SystemError("chmod") }
    }

    /// Gives a link that was just made the owner, where that is allowed, and the times of the one that it was made from; not
    /// every file system keeps these.
    package static func likenLink(_ copy: String, to original: String) {
        var status = stat()
        guard unsafe lstat(original, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
        _ = unsafe lchown(copy, status.st_uid, status.st_gid)
        _ = unsafe utimensat(AT_FDCWD, copy, OpenFile.times(of: status), AT_SYMLINK_NOFOLLOW)
    }

    /// Makes the entries of a folder survive a power cut. Some file systems cannot; then it is as good as it gets.
    package static func flush(_ path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// The system's `rename`, which `FileTree.rename` hides inside of it.
private func moved(_ path: String, _ new: String) -> Int32 { unsafe rename(path, new) }
