#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files with holes: zeros that take no room. Databases that are mapped into memory (LMDB, ObjectBox) have some kilobytes in
/// files of gigabytes.
extension OpenFile {
    /// Of one file: beyond it, the rest counts as bytes.
    private static let extentLimit = 10_000

    // lseek(2), whose names Glibc has for GNU programs alone.
    #if canImport(Darwin)
        private static let (toHole, toData): (Int32, Int32) = (3, 4)
    #else
        private static let (toData, toHole): (Int32, Int32) = (3, 4)
    #endif

    /// Where the bytes are, in order, and the size. A file system that knows no holes has one range, of all.
    package func extents() throws(SystemError) -> (data: [Range<Int64>], size: Int64) {
        let size = Int64(lseek(descriptor, 0, SEEK_END))
        guard size >= 0 else { throw SystemError("lseek") }
        var data: [Range<Int64>] = []
        var at: Int64 = 0
        while at < size, data.count < Self.extentLimit {
            let start = Int64(lseek(descriptor, off_t(at), Self.toData))
            guard start >= 0 else {
                // Behind the last byte there is nothing but a hole.
                guard errno == ENXIO else { break }
                return (data, size)
            }
            let end = Int64(lseek(descriptor, off_t(start), Self.toHole))
            at = end > start ? end : size
            data.append(start..<at)
        }
        if at < size { data.append(at..<size) }
        return (data, size)
    }

    /// Copies those ranges of this file into one that is new, and gives that the size.
    package func copy(_ data: [Range<Int64>], _ size: Int64, to other: OpenFile) throws(SystemError) {
        guard ftruncate(other.descriptor, off_t(size)) == 0 else { throw SystemError("ftruncate") }
        var piece = [UInt8](repeating: 0, count: Int(min(1 << 20, max(size, 1))))
        for range in data {
            var at = range.lowerBound
            while at < range.upperBound {
                let most = Int(min(Int64(piece.count), range.upperBound - at))
                let count = unsafe pread(descriptor, &piece, most, off_t(at))
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw SystemError("read") }
                // It has become shorter meanwhile.
                guard count > 0 else { break }
                var written = 0
                while written < count {
                    let done = unsafe piece[written..<count].withUnsafeBytes {
                        unsafe pwrite(other.descriptor, $0.baseAddress, $0.count, off_t(at) + off_t(written))
                    }
                    if done < 0, errno == EINTR { continue }
                    guard done > 0 else { throw SystemError("write") }
                    written += done
                }
                at += Int64(count)
            }
        }
    }
}

/// A copy is like what it was made from, whatever has taken the place of either name meanwhile.
extension OpenFile {
    /// A folder itself; a link is an error.
    package convenience init(folder path: String) throws(SystemError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SystemError("open") }
        self.init(adopting: descriptor)
    }

    /// Gives this one the owner, where that is allowed, the mode and the times of the other one.
    ///
    /// Only root gives files away: whoever may read another one's file without being root may read the copy as well. Who runs
    /// it then is this user, so that it does not keep the bits by which it would act as its owner.
    package func liken(to original: OpenFile) throws(SystemError) {
        var status = stat()
        guard unsafe fstat(original.descriptor, &status) == 0 else { throw SystemError("fstat") }
        let isGiven = fchown(descriptor, status.st_uid, status.st_gid) == 0
        guard fchmod(descriptor, status.st_mode & (isGiven ? 0o7777 : 0o777)) == 0 else { throw SystemError("fchmod") }
        guard unsafe futimens(descriptor, Self.times(of: status)) == 0 else { throw SystemError("futimens") }
    }

    static func times(of status: stat) -> [timespec] {
        #if canImport(Darwin)
            [status.st_atimespec, status.st_mtimespec]
        #else
            [status.st_atim, status.st_mtim]
        #endif
    }
}
