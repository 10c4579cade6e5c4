#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One of the three streams that a process begins with.
package enum StandardStream: Sendable {
    case input, output, error

    private var descriptor: Int32 {
        switch self {
        case .input: STDIN_FILENO
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }

    /// Somebody sits at the other end.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The next byte; waits for it. nil at the end.
    ///
    /// Not through the C library's buffer: whoever waits there holds its lock, and `exit` waits for that.
    package func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = unsafe withUnsafeMutableBytes(of: &byte) { unsafe read(descriptor, $0.baseAddress, 1) }
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    /// What is there, at most so many bytes; waits for the first. Empty at the end.
    package func nextBytes(upTo count: Int) -> [UInt8] {
        var end = 0
        repeat {
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, filled in
                end = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(0, end)
            }
            if end > 0 { return bytes }
        } while end < 0 && errno == EINTR
        return []
    }

    /// Of the terminal at the other end; nil where it is none, or does not say.
    package var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
