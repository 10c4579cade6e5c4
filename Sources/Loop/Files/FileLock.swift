#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that one process at a time holds, and that is free again when it lets go or dies.
///
/// The system forgets the lock with the descriptor, so that nothing is left behind by a process that was killed. The
/// file itself stays: were it removed, two could hold locks on two files of the same name.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// nil where somebody else holds it. The file is made, for its owner alone, where there is none.
    package init?(_ path: String) throws(SystemError) {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("open") }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw SystemError("flock") }
            return nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
