import GRDB
import Loop

/// The file of a store before it is opened: whose it is, and who may read it.
enum StoreFile {
    /// SQLite's header has 100 bytes.
    private static let headerSize = 100

    enum Content: Hashable { case nothing, ours, newer, foreign }

    /// By the first bytes alone: SQLite, asked, may write beside a file.
    static func content(of path: String) throws(StoreError) -> Content {
        let header: [UInt8]
        do {
            guard Files.exists(path) else { return .nothing }
            // Not a device either: /dev/null is empty, and as root its mode could be changed.
            guard try FileStatus(of: path).kind == .file else { return .foreign }
            header = Array(try OpenFile(reading: path).next().prefix(headerSize))
        } catch {
            throw .unusable(path: path, reason: error.reason)
        }
        if header.isEmpty { return .nothing }
        guard header.count == headerSize, header.starts(with: Array("SQLite format 3\0".utf8)) else { return .foreign }
        func number(at offset: Int) -> Int32 { header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int32($1) } }
        guard number(at: 68) == StoreSchema.applicationID else { return .foreign }
        return number(at: 60) > StoreSchema.version ? .newer : .ours
    }

    /// Makes the folders that are missing, and an empty file where none is; nobody else may look into either.
    static func prepare(_ path: String) throws(StoreError) {
        do {
            try makeFolder(of: path)
            if Files.exists(path) {
                if try FileStatus(of: path).mode & 0o077 != 0 { try FileTree.setMode(0o600, of: path) }
            } else {
                _ = try OpenFile(creating: path, mode: 0o600)
            }
        } catch {
            throw .unusable(path: path, reason: error.reason)
        }
    }

    private static func makeFolder(of path: String) throws(SystemError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        guard !Files.isFolder(folder) else { return }
        try makeFolder(of: folder)
        try FileTree.makeFolder(folder, mode: 0o700)
    }

    /// Of a file and what SQLite has beside it, in bytes; 0 for what is not there.
    static func size(of path: String) -> Int {
        ["", "-wal", "-shm"].reduce(0) { sum, suffix in sum + ((try? FileStatus(of: path + suffix).size) ?? 0) }
    }

    /// A new store: its tables are in the file itself before anybody is told of it, so that its header says whose it is.
    static func create(_ path: String) throws {
        var configuration = Configuration()
        configuration.label = "store"
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Before the first table: afterwards only a copy of the whole file would do.
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try StoreSchema.migrator.migrate(queue)
        try queue.close()
    }
}
