import Facts
import Loop

/// Files that are handed in, and standard input.
enum InputFile {
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - limit: bytes.
    /// - Throws: `PinsError` of data for what is larger or no file, `FileError` for what is not there.
    static func read(_ path: String, limit: Int, _ what: String) throws -> [UInt8] {
        if !isHandedIn(path) {
            try requireFile(path, hint: "let the shell open it, and name - in its place: - < \(path)")
        }
        var bytes: [UInt8] = []
        var isLarge = false
        try Files.readPieces(of: path == "-" ? "/dev/stdin" : path, limit: .max) { piece in
            bytes += piece
            isLarge = bytes.count > limit
            return !isLarge
        }
        guard !isLarge else {
            throw PinsError(
                .data, "\(name(path)): it has more than \(limit >> 20) MB, the most that is read of \(what)")
        }
        return bytes
    }

    /// A pipe that nobody writes to would be waited for without an end, and a device has none.
    static func requireFile(_ path: String, hint: String) throws {
        guard (try? FileStatus(of: path).kind) == .other else { return }
        throw PinsError(
            .data, "\(path): it is a pipe, a socket or a device, and no regular file",
            hints: [hint])
    }

    /// Standard input, and what a shell's process substitution opens: a writer is there already, and what was read is gone.
    static func isHandedIn(_ path: String) -> Bool {
        let folders = ["/dev/fd/", "/proc/self/fd/"]
        return path == "-" || path == "/dev/stdin" || folders.contains(where: path.hasPrefix)
    }

    static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
