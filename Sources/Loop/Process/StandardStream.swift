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

    /// Somebody sits at the other end.
    package var isTerminal: Bool {
        let descriptor =
            switch self {
            case .input: STDIN_FILENO
            case .output: STDOUT_FILENO
            case .error: STDERR_FILENO
            }
        return isatty(descriptor) == 1
    }
}
