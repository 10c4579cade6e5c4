import Facts
import Inspector
import Loop

/// The token of page and API: 192 bits of chance.
///
/// It is kept beside the store, so that an open page survives a new start.
enum PageToken {
    private static let size = 24

    /// - Parameter store: nil: recorded nowhere, and for this run alone.
    static func token(beside store: String?) -> String {
        var generator = SystemRandomNumberGenerator()
        let fresh = Hex.encode((0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) })
        guard let store else { return fresh }
        let path = Files.target(store) + ".token"
        if let kept = kept(path) { return kept }
        // Without the file the token is good for this run: no reason not to start.
        try? PrivateFile.write(path) { write in try write(Array((fresh + "\n").utf8)) }
        return fresh
    }

    /// nil for what is none, and for what others could have read.
    private static func kept(_ path: String) -> String? {
        guard let status = try? FileStatus(of: path, followingLinks: false), status.kind == .file,
            status.mode & 0o077 == 0, let bytes = try? Files.read(path, limit: 256)
        else { return nil }
        let digits = bytes.prefix(size * 2)
        guard digits.count == size * 2, bytes.dropFirst(size * 2).elementsEqual([UInt8(ascii: "\n")]),
            digits.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }
}
