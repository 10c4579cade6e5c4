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

    /// Of the terminal at the other end; nil where it is none, or does not say.
    package var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
