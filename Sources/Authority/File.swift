#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads files whole, and writes keys so that no one else can ever read them.
enum File {
    /// The whole file; more than `limit` bytes are an error.
    static func read(_ path: String, atMost limit: Int) throws(CAError) -> [UInt8] {
        let descriptor = try openForReading(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { close(descriptor) }
        try requireRegular(descriptor, path)
        return try readAll(descriptor, path, limit)
    }

    /// The whole file, which must be a regular one that only its owner can read.
    static func readSecret(_ path: String, atMost limit: Int) throws(CAError) -> [UInt8] {
        let descriptor = try openForReading(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { close(descriptor) }
        // Asked of the descriptor, not of the name: what is checked is what is read.
        let status = try requireRegular(descriptor, path)
        guard status.st_mode & 0o077 == 0 else {
            throw CAError(
                .permissions, "\(path): others can read or write this key (mode \(mode(status)))",
                hint: "chmod 600 \(path), and make a new key if others may have read it")
        }
        guard status.st_uid == geteuid() else {
            throw CAError(
                .permissions, "\(path): this key belongs to another user (uid \(status.st_uid))",
                hint: adoption(of: path))
        }
        return try readAll(descriptor, path, limit)
    }

    /// Refuses a file that someone else owns or can change; one that is not there is left to whoever reads it.
    static func requireOurs(_ path: String) throws(CAError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_uid == geteuid() else {
            throw CAError(
                .permissions, "\(path): this file belongs to another user (uid \(status.st_uid))",
                hint: adoption(of: path))
        }
        guard status.st_mode & S_IFMT == S_IFLNK || status.st_mode & 0o022 == 0 else {
            throw CAError(
                .permissions, "\(path): others can write this file (mode \(mode(status)))", hint: "chmod go-w \(path)")
        }
    }

    /// What to do about a file or folder of another user.
    static func adoption(of path: String) -> String {
        "chown -R \(geteuid()) \(path) if its content is to be trusted, run as its owner, or make a new CA"
    }

    static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Makes a new file and writes it through to the disk; an existing one is an error. A secret one has mode 0600
    /// from its first moment, others 0644.
    static func create(_ path: String, _ bytes: [UInt8], isSecret: Bool) throws(CAError) {
        let mode: mode_t = isSecret ? 0o600 : 0o644
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw failed("create", path) }
        defer { close(descriptor) }
        // The mode above is what the umask leaves of it, never more; this makes it whole.
        guard fchmod(descriptor, mode) == 0 else { throw failed("set the mode of", path) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failed("write", path) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw failed("write", path) }
    }

    static func contains(_ text: String, in bytes: [UInt8]) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains {
            bytes[$0] == first && bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }

    static func failed(_ verb: String, _ path: String) -> CAError {
        let code = errno
        let reason = unsafe String(cString: strerror(code))
        return CAError(
            code == ENOENT ? .missing : code == EEXIST ? .exists : .unusable,
            "\(path): cannot \(verb) it: \(reason.lowercased())")
    }

    /// `0644`
    static func mode(_ status: stat) -> String {
        let digits = String(Int(status.st_mode) & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func openForReading(_ path: String, _ flags: Int32) throws(CAError) -> Int32 {
        let descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw CAError(.missing, "\(path): no such file") }
            throw failed("read", path)
        }
        return descriptor
    }

    /// Not a folder, and not a pipe that would never end. (O_NONBLOCK keeps the open of a pipe from hanging.)
    @discardableResult
    private static func requireRegular(_ descriptor: Int32, _ path: String) throws(CAError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failed("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CAError(.unusable, "\(path): it is not a regular file") }
        return status
    }

    private static func readAll(_ descriptor: Int32, _ path: String, _ limit: Int) throws(CAError) -> [UInt8] {
        var out: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe readBytes(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failed("read", path) }
            if count == 0 { return out }
            out += part.prefix(count)
            guard out.count <= limit else {
                throw CAError(.unusable, "\(path): the file is larger than \(limit) bytes")
            }
        }
    }
}

/// The system's `read`, which `File.read` hides inside of `File`.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}
