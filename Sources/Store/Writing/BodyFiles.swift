import Facts
import Loop

/// Bodies that are too large to lie in a store, in files beside it.
///
/// One that records writes them, within its transactions; what was undone is written once more to the same place. Of a
/// file the store says how many bytes are the body's: what stands behind them came from a process that was killed.
///
/// A store may have come from anybody, its folder with it. So only names are touched that are made here, and no link is followed.
struct BodyFiles: Sendable {
    let folder: String
    /// Opens a file to be written; in tests it may fail as the system does.
    var open: @Sendable (_ path: String, _ isNew: Bool) throws(SystemError) -> OpenFile = {
        path, isNew throws(SystemError) in try OpenFile(changing: path, isNew: isNew)
    }

    init(beside store: String) { folder = store + ".bodies" }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Whether the folder is a link to some other one.
    var isLink: Bool { (try? FileStatus(of: folder, followingLinks: false).kind) == .link }

    /// Whether a name is one of those that are made here.
    static func isOwn(_ name: String) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let flow = Int64(parts[0]) else { return false }
        return name == Self.name(flow, .up) || name == Self.name(flow, .down)
    }

    /// Numbers of recorded flows are never used twice, and so are these names.
    static func name(_ flow: Int64, _ direction: ExchangeDirection) -> String {
        "\(flow)-\(direction == .up ? "request" : "response")"
    }

    /// Writes at this place; at the beginning it makes an empty file, and the folder.
    func write(_ bytes: [UInt8], to name: String, at offset: Int) throws(SystemError) {
        guard !isLink, Self.isOwn(name) else { throw .link("open") }
        if offset == 0, !Files.isFolder(folder) { try FileTree.makeFolder(folder, mode: 0o700) }
        try open(path(name), offset == 0).write(bytes, at: offset)
    }

    /// The first bytes of a body; nil where the file is missing, or shorter than the body.
    ///
    /// - Parameter size: of the body.
    func read(_ name: String, size: Int, limit: Int = .max) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        let wanted = min(size, limit)
        guard try forEach(name, size: wanted, { bytes += $0 }) else { return nil }
        return bytes
    }

    /// Piece by piece; false where the file is missing or too short, after what there was of it.
    func forEach(_ name: String, size: Int, _ take: ([UInt8]) -> Void) throws(SystemError) -> Bool {
        guard Self.isOwn(name), !isLink else { return false }
        let file: OpenFile
        do { file = try OpenFile(reading: path(name), followingLinks: false) } catch {
            guard error.isNotFound || error.isNotAFolder || error.isLink else { throw error }
            return false
        }
        var left = size
        while left > 0 {
            var piece = try file.next()
            guard !piece.isEmpty else { return false }
            if piece.count > left { piece.removeSubrange(left...) }
            left -= piece.count
            take(piece)
        }
        return true
    }

    func remove(_ name: String) {
        guard Self.isOwn(name), !isLink else { return }
        _ = FileTree.removeFile(path(name))
    }

    /// Takes away what a process has left behind that was killed between its two steps. Only for the one that records.
    func removeAll(but names: Set<String>) {
        guard !isLink else { return }
        for name in (try? FileTree.entries(of: folder)) ?? [] where !names.contains(name) { remove(name) }
    }

    /// Of all of them together, in bytes.
    var size: Int {
        ((try? FileTree.entries(of: folder)) ?? []).reduce(0) { $0 + ((try? FileStatus(of: path($1)).size) ?? 0) }
    }
}
