import Dispatch
import Loop

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Where a person is told things: stderr by loudness, results on stdout.
///
/// Knows the line that is redrawn in place.
package final class Console: Sendable {
    package enum Loudness: Int, Sendable, Comparable {
        case quiet, normal, verbose
        package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    package typealias Write = @Sendable (String) -> Void
    /// Throws where not all of it could be written.
    package typealias WriteResult = @Sendable (String) throws -> Void
    package typealias WriteBytes = @Sendable ([UInt8]) throws -> Void

    package let loudness: Loudness
    /// stderr is a terminal: a line can be redrawn.
    package let isTerminal: Bool
    /// Columns of the terminal.
    package let width: Int
    private let errors: Write
    private let results: WriteResult
    private let bytes: WriteBytes
    /// Whether the cursor stands behind a line that the next output has to clear.
    private let hasStatus = Locked(false)

    /// - Parameters:
    ///   - errors: writes to stderr.
    ///   - results: writes to stdout.
    ///   - bytes: writes to stdout what need not be text; as text where it is not given.
    package init(
        loudness: Loudness = .normal, isTerminal: Bool, width: Int = Console.defaultWidth, errors: @escaping Write,
        results: @escaping WriteResult, bytes: WriteBytes? = nil
    ) {
        self.loudness = loudness
        self.isTerminal = isTerminal
        self.width = width
        self.errors = errors
        self.results = results
        self.bytes = bytes ?? { try results(String(decoding: $0, as: UTF8.self)) }
    }

    /// The process's own streams. What stderr does not take (a closed pipe) is dropped: there is nobody to tell.
    package static func standard(loudness: Loudness, columns: Int?) -> Console {
        Console(
            loudness: loudness, isTerminal: StandardStream.error.isTerminal,
            width: columns ?? defaultWidth,
            errors: { _ = try? FileDescriptor.standardError.writeAll($0.utf8) },
            results: { _ = try FileDescriptor.standardOutput.writeAll($0.utf8) },
            bytes: { _ = try FileDescriptor.standardOutput.writeAll($0) })
    }

    /// The same, and whoever says something waits for nobody to take it: for what must not be held up. `finish` comes last.
    package static func patient(loudness: Loudness, columns: Int?) -> (console: Console, finish: @Sendable () -> Void) {
        guard
            let words = try? PatientWriter({ text in _ = try? FileDescriptor.standardError.writeAll(text.utf8) })
        else { return (standard(loudness: loudness, columns: columns), {}) }
        let console = Console(
            loudness: loudness, isTerminal: StandardStream.error.isTerminal, width: columns ?? defaultWidth,
            errors: words.add, results: { _ = try FileDescriptor.standardOutput.writeAll($0.utf8) },
            bytes: { _ = try FileDescriptor.standardOutput.writeAll($0) })
        return (console, { words.finish(seconds: 1) })
    }

    package static let defaultWidth = 80

    /// A line for people, unless they asked for quiet.
    package func say(_ line: String) { if loudness >= .normal { print(line) } }

    /// The same for what must not be held up, as by a pipe that nobody reads: a moment, and no longer.
    package func sayInPassing(_ line: String) {
        let isSaid = DispatchSemaphore(value: 0)
        let thread = try? WorkerThread(name: "word") { _ in
            self.say(line)
            isSaid.signal()
        }
        if thread != nil { _ = isSaid.wait(timeout: .now() + 0.2) }
    }

    /// A line that only `-v` shows.
    package func detail(_ line: String) { if loudness >= .verbose { print(line) } }

    /// A line that even `-q` shows.
    package func warn(_ line: String) { print(line) }

    /// The outcome, on stdout as it is. One that was not written is lost, and its caller's end must not be a success.
    package func result(_ text: String) throws(Complaint) {
        clearStatus()
        do { try results(text) } catch { throw Self.complaint(error) }
    }

    /// The same for what need not be text.
    package func result(bytes: [UInt8]) throws(Complaint) {
        clearStatus()
        do { try self.bytes(bytes) } catch { throw Self.complaint(error) }
    }

    private static func complaint(_ error: any Error) -> Complaint {
        let reason = (error as? Errno)?.description.lowercased() ?? "\(error)"
        var complaint = Complaint("stdout: the result cannot be written: \(reason)", status: .invalid)
        complaint.isClosedPipe = error as? Errno == .brokenPipe
        return complaint
    }

    /// Draws a line over the last such line; nothing where stderr is no terminal.
    package func status(_ line: String) {
        guard isTerminal, loudness >= .normal else { return }
        // One column less: a full line would wrap, and could not be cleared.
        let line = String(line.prefix(width - 1))
        hasStatus.withLock { hasStatus in
            errors("\r\u{1b}[K\(line)")
            hasStatus = true
        }
    }

    package func clearStatus() {
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
