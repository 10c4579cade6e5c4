import Facts
import Loop

/// Files that are handed in, and standard input.
enum InputFile {
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - limit: bytes.
    /// - Throws: `PinsError` of data for what is larger, `FileError` for what is not there.
    static func read(_ path: String, limit: Int, _ what: String) throws -> [UInt8] {
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

    static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
