import Evidence
import Facts
import Loop

/// A file of TLS secrets in NSS's key log format, for Wireshark and its like.
///
/// Lines are taken from any thread and written by a thread of the file's own, so that no connection waits for a disk.
/// It is 0600 and appended to. The first failure is told, and nothing is written after it.
package final class KeyLogFile: Sendable {
    /// Of lines that a slow disk has not taken yet: those of some 2,000 connections, with two handshakes each.
    static let waitingLimit = 4 * 1024 * 1024

    package let path: String
    private let outbox: LineOutbox
    private let tell: @Sendable (String) -> Void
    private let hasLost = Locked(false)
    private let isClosed = Locked(false)

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
        outbox = LineOutbox(
            "key log", limit: Self.waitingLimit,
            failed: { tell("\(path): cannot write the key log: \($0); connections from now on are not in it") },
            write: write)
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
        guard !isClosed.withLock({ $0 }), !outbox.add(line) else { return }
        let isFirst = hasLost.withLock { hasLost in
            defer { hasLost = true }
            return !hasLost
        }
        if isFirst { tell("\(path): the disk is too slow for the key log: lines are missing, and what they open") }
    }

    /// Writes what waits; nothing is taken after it.
    package func close() {
        isClosed.withLock { $0 = true }
        _ = outbox.finish(within: nil)
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
