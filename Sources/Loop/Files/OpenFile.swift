#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is held open, until it is released.
///
/// What is asked of it is asked of the very file that is read or written, and not of a name, which may lead elsewhere a
/// moment later.
///
/// Sendable: all it has is a number, which never changes, and the system's calls may come from any thread.
package final class OpenFile: Sendable {
    let descriptor: Int32

    /// A few pipe buffers: fewer system calls than one would have, and nothing for the memory.
    private static let pieceSize = 256 << 10

    /// Opens what is there: a file, a device or a pipe, of which no size has to fit in memory.
    ///
    /// Not Foundation's `Data(contentsOf:)`, which wants the whole of it and leaks for empty files on Linux.
    ///
    /// - Parameters:
    ///   - waiting: for a pipe's writer; otherwise one that nobody writes to does not hold this up.
    ///   - followingLinks: where the path is a link, what it leads to is opened; otherwise it is an error.
    package init(
        reading path: String, waiting: Bool = false, followingLinks: Bool = true
    ) throws(SystemError) {
        let flags = (waiting ? 0 : O_NONBLOCK) | (followingLinks ? 0 : O_NOFOLLOW)
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { throw SystemError("open") }
    }

    /// Makes a new file; anything that is there already, a link too, is an error.
    package init(creating path: String, mode: Int) throws(SystemError) {
        let mode = mode_t(mode)
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw SystemError("open") }
        // The mode above is what the umask leaves of it, never more; this makes it whole.
        guard fchmod(descriptor, mode) == 0 else { throw SystemError("fchmod") }
    }

    /// Writes behind what a file has already, or makes it; a link is an error.
    package init(appending path: String, mode: Int) throws(SystemError) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
        guard descriptor >= 0 else { throw SystemError("open") }
    }

    /// Writes into what is there, or makes it empty and for its owner alone; a link is an error.
    package init(changing path: String, isNew: Bool) throws(SystemError) {
        let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (isNew ? O_CREAT | O_TRUNC : 0)
        descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw SystemError("open") }
        guard !isNew || fchmod(descriptor, 0o600) == 0 else { throw SystemError("fchmod") }
    }

    init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = closeDescriptor(descriptor) }

    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError("fstat") }
        return FileStatus(status)
    }

    /// The next bytes; none at the end.
    package func next() throws(SystemError) -> [UInt8] {
        let fd = descriptor
        var result = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            repeat {
                result = unsafe readBytes(fd, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
        guard result >= 0 else { throw SystemError("read") }
        return piece
    }

    /// So many bytes from a place on, fewer where the file ends within them. Not of pipes.
    package func read(at offset: Int, count wanted: Int) throws(SystemError) -> [UInt8] {
        guard offset >= 0, wanted > 0 else { return [] }
        let fd = descriptor
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            while count < wanted {
                let start = unsafe buffer.baseAddress.map { unsafe $0 + count }
                let result = unsafe pread(fd, start, wanted - count, off_t(offset + count))
                if result < 0, errno == EINTR { continue }
                failed = result < 0
                guard result > 0 else { return }
                count += result
            }
        }
        guard !failed else { throw SystemError("pread") }
        return bytes
    }

    /// Writes all of the bytes.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe writeBytes(descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write") }
            written += count
        }
    }

    /// Writes all of the bytes at this place, over what is there.
    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written,
                    off_t(offset + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("pwrite") }
            written += count
        }
    }

    /// Ends the file behind so many bytes.
    package func cut(to size: Int) throws(SystemError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw SystemError("ftruncate") }
    }

    /// Returns when what was written survives a power cut.
    package func flush() throws(SystemError) { guard fsync(descriptor) == 0 else { throw SystemError("fsync") } }
}

/// The system's calls of these names, which the members of `OpenFile` hide inside of it.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}

private func writeBytes(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, buffer, count)
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
