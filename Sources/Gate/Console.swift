import Loop

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Where a person is told things: stderr by loudness, results on stdout. Knows the line that is redrawn in place.
public final class Console: Sendable {
    public enum Loudness: Int, Sendable, Comparable {
        case quiet, normal, verbose
        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    public typealias Write = @Sendable (String) -> Void

    public let loudness: Loudness
    /// stderr is a terminal: a line can be redrawn.
    public let isTerminal: Bool
    /// Columns of the terminal.
    public let width: Int
    private let errors: Write
    private let results: Write
    /// Whether the cursor stands behind a line that the next output has to clear.
    private let hasStatus = Locked(false)

    /// - Parameters:
    ///   - errors: writes to stderr.
    ///   - results: writes to stdout.
    public init(
        loudness: Loudness = .normal, isTerminal: Bool, width: Int = Console.defaultWidth, errors: @escaping Write,
        results: @escaping Write
    ) {
        self.loudness = loudness
        self.isTerminal = isTerminal
        self.width = width
        self.errors = errors
        self.results = results
    }

    /// The process's own streams. What cannot be written (a closed pipe) is dropped: there is nobody to tell.
    public static func standard(loudness: Loudness, columns: String?) -> Console {
        Console(
            loudness: loudness, isTerminal: isatty(STDERR_FILENO) == 1,
            width: columns.flatMap { Int($0) }.flatMap { (20...1000).contains($0) ? $0 : nil } ?? defaultWidth,
            errors: { _ = try? FileDescriptor.standardError.writeAll($0.utf8) },
            results: { _ = try? FileDescriptor.standardOutput.writeAll($0.utf8) })
    }

    public static let defaultWidth = 80

    /// A line for people, unless they asked for quiet.
    public func say(_ line: String) { if loudness >= .normal { print(line) } }

    /// A line that only `-v` shows.
    public func detail(_ line: String) { if loudness >= .verbose { print(line) } }

    /// A line that even `-q` shows.
    public func warn(_ line: String) { print(line) }

    /// The outcome, on stdout as it is.
    public func result(_ text: String) {
        clearStatus()
        results(text)
    }

    /// Draws a line over the last such line; nothing where stderr is no terminal.
    public func status(_ line: String) {
        guard isTerminal, loudness >= .normal else { return }
        // One column less: a full line would wrap, and could not be cleared.
        let line = String(line.prefix(width - 1))
        hasStatus.withLock { hasStatus in
            errors("\r\u{1b}[K\(line)")
            hasStatus = true
        }
    }

    public func clearStatus() {
        hasStatus.withLock { hasStatus in
            if hasStatus { errors("\r\u{1b}[K") }
            hasStatus = false
        }
    }

    private func print(_ line: String) {
        hasStatus.withLock { hasStatus in
            errors((hasStatus ? "\r\u{1b}[K" : "") + line + "\n")
            hasStatus = false
        }
    }
}
