import Loop
import TLS

/// Reads files whole, and writes keys so that no one else can ever read them.
enum File {
    /// The whole file; more than `limit` bytes are an error.
    static func read(_ path: String, atMost limit: Int) throws(CAError) -> [UInt8] {
        let (file, _) = try open(path)
        return try readAll(file, path, limit)
    }

    /// The whole file, which must be a regular one that only its owner can read.
    static func readSecret(_ path: String, atMost limit: Int) throws(CAError) -> [UInt8] {
        // Asked of the open file, not of the name: what is checked is what is read.
        let (file, status) = try open(path)
        guard status.mode & 0o077 == 0 else {
            throw CAError(
                .permissions, "\(path): others can read or write this key (mode \(status.modeDigits))",
                hint: "chmod 600 \(path), and make a new key if others may have read it")
        }
        guard status.isOurs else {
            throw CAError(
                .permissions, "\(path): this key belongs to another user (uid \(status.owner))",
                hint: adoption(of: path))
        }
        return try readAll(file, path, limit)
    }

    /// Refuses a file that someone else owns or can change; one that is not there is left to whoever reads it.
    static func requireOurs(_ path: String) throws(CAError) {
        guard let status = try? FileStatus(of: path, followingLinks: false) else { return }
        guard status.isOurs else {
            throw CAError(
                .permissions, "\(path): this file belongs to another user (uid \(status.owner))",
                hint: adoption(of: path))
        }
        guard status.kind == .link || status.mode & 0o022 == 0 else {
            throw CAError(
                .permissions, "\(path): others can write this file (mode \(status.modeDigits))",
                hint: "chmod go-w \(path)")
        }
    }

    /// What to do about a file or folder of another user.
    static func adoption(of path: String) -> String {
        "chown -R \(ProcessControl.userID) \(path) if its content is to be trusted, run as its owner, or make a new CA"
    }

    static func isOpenToOthers(_ path: String) -> Bool {
        (try? FileStatus(of: path)).map { $0.mode & 0o077 != 0 } ?? false
    }

    /// Makes a new file and writes it through to the disk; an existing one is an error. A secret one has mode 0600
    /// from its first moment, others 0644.
    static func create(_ path: String, _ bytes: [UInt8], isSecret: Bool) throws(CAError) {
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(creating: path, mode: isSecret ? 0o600 : 0o644)
        } catch {
            throw failed("create", path, error)
        }
        do throws(SystemError) {
            try file.write(bytes)
            try file.flush()
        } catch {
            throw failed("write", path, error)
        }
    }

    static func failed(_ verb: String, _ path: String, _ error: SystemError) -> CAError {
        CAError(
            error.isNotFound ? .missing : error.isTaken ? .exists : .unusable,
            "\(path): cannot \(verb) it: \(error.reason)")
    }

    /// Not a folder, and not a pipe that would never end.
    private static func open(_ path: String) throws(CAError) -> (OpenFile, FileStatus) {
        do throws(SystemError) {
            let file = try OpenFile(reading: path)
            let status = try file.status()
            if status.kind == .file { return (file, status) }
        } catch {
            throw error.isNotFound ? CAError(.missing, "\(path): no such file") : failed("read", path, error)
        }
        throw CAError(.unusable, "\(path): it is not a regular file")
    }

    private static func readAll(_ file: OpenFile, _ path: String, _ limit: Int) throws(CAError) -> [UInt8] {
        var out: [UInt8] = []
        while true {
            let piece: [UInt8]
            do throws(SystemError) { piece = try file.next() } catch { throw failed("read", path, error) }
            guard !piece.isEmpty else { return out }
            out += piece
            guard out.count <= limit else {
                throw CAError(.unusable, "\(path): the file is larger than \(limit) bytes")
            }
        }
    }
}
