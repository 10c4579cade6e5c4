/// A file, a device or a pipe, read in pieces: no size of it has to fit in memory.
///
/// Not Foundation's `Data(contentsOf:)`, which wants the whole of it and leaks for empty files on Linux.
package final class FileReader {
    private let descriptor: Int32

    /// A few pipe buffers: fewer system calls than one would have, and nothing for the memory.
    private static let pieceSize = 256 << 10

    package init(_ path: String) throws(SystemError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open") }
    }

    deinit { close(descriptor) }

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
}

/// The system's `read`.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}
