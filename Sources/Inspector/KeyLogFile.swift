import Dispatch
import Facts
import Loop

/// A file of TLS secrets in NSS's key log format, for Wireshark and its like.
///
/// Lines are taken from any thread and written by a thread of the file's own, so that no connection waits for a disk.
/// It is 0600 and appended to. The first failure is told, and nothing is written after it.
package final class KeyLogFile: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isScheduled = false
        /// Nothing is taken any more: the disk failed, or it was closed.
        var isDone = false
        var hasLost = false
    }

    /// Of lines that a slow disk has not taken yet: those of some 2,000 connections, with two handshakes each.
    static let waitingLimit = 4 * 1024 * 1024

    package let path: String
    private let write: @Sendable ([UInt8]) throws(SystemError) -> Void
    private let tell: @Sendable (String) -> Void
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "key log")

    /// - Parameter tell: called once with what went wrong, should anything, and once should lines be missing; on the
    ///   thread that writes, or on one that gave a line.
    package convenience init(_ path: String, tell: @escaping @Sendable (String) -> Void) throws {
        let file = try Self.open(path)
        self.init(path, tell: tell) { bytes throws(SystemError) in try file.write(bytes) }
    }

    init(
        _ path: String, tell: @escaping @Sendable (String) -> Void,
        write: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void
    ) {
        self.path = path
        self.tell = tell
        self.write = write
    }

    private static func open(_ path: String) throws -> OpenFile {
        // Asked before opening, which waits where a pipe has no reader.
        switch Files.kind(path) {
        case nil, .file?: break
        case .folder?: throw FileError.cannotWrite(path: path, reason: "it is a folder")
        case .link?: throw FileError.cannotWrite(path: path, reason: "it is a symbolic link; name the file itself")
        case .stream?: throw FileError.cannotWrite(path: path, reason: "it is not a regular file")
        }
        let file: OpenFile
        let status: FileStatus
        do throws(SystemError) {
            file = try OpenFile(appending: path, mode: 0o600)
            status = try file.status()
        } catch {
            throw FileError.cannotWrite(path: path, reason: Files.reason(error))
        }
        guard status.kind == .file, status.isOurs, status.mode & 0o077 == 0 else {
            throw KeyLogError(path: path, mode: status.modeDigits, isOurs: status.isOurs)
        }
        return file
    }

    /// Takes one line, without its newline.
    package func add(_ line: [UInt8]) {
        let (schedules, loses) = state.withLock { state -> (Bool, Bool) in
            guard !state.isDone else { return (false, false) }
            guard state.waiting.count + line.count < Self.waitingLimit else {
                defer { state.hasLost = true }
                return (false, !state.hasLost)
            }
            state.waiting += line
            state.waiting.append(0x0a)
            defer { state.isScheduled = true }
            return (!state.isScheduled, false)
        }
        if schedules { queue.async { self.flush() } }
        if loses { tell("\(path): the disk is too slow for the key log: lines are missing, and what they open") }
    }

    /// Writes what waits; nothing is taken after it.
    package func close() {
        queue.sync { flush() }
        state.withLock { $0.isDone = true }
    }

    private func flush() {
        let bytes = state.withLock { state in
            let bytes = state.waiting
            state.waiting = []
            state.isScheduled = false
            return state.isDone ? [] : bytes
        }
        guard !bytes.isEmpty else { return }
        do throws(SystemError) { try write(bytes) } catch {
            state.withLock { state in
                state.isDone = true
                state.waiting = []
            }
            tell("\(path): cannot write the key log: \(Files.reason(error)); connections from now on are not in it")
        }
    }
}

/// A key log that others could read.
struct KeyLogError: ExplainedError, Hashable {
    var path: String
    /// `0644`
    var mode: String
    var isOurs: Bool

    var cause: ErrorCause { .configuration }

    var explanations: [Explanation] {
        [
            isOurs
                ? Explanation(
                    "\(path): others can read or write this file (mode \(mode)), and it is to hold secrets",
                    hints: ["chmod 600 \(path), or name another file with --keylog"])
                : Explanation(
                    "\(path): this file belongs to another user, and it is to hold secrets",
                    hints: ["name another file with --keylog"])
        ]
    }
}
