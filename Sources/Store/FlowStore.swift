import Facts
import Flows
import GRDB
import Loop

/// Flows in a file.
///
/// One process records, any number of others read, clear and import meanwhile. SQLite with a write-ahead log: readers see what was committed when they began, and hold nobody up.
package final class FlowStore: Sendable {
    package let path: String
    let pool: StoreConnections
    let tools: StoreTools
    /// Held by the one that records.
    private let lock: Locked<FileLock?>
    private let identity: FileStatus.Identity?
    /// Asked before each flow whose bytes a filter looks into.
    let isWanted: @Sendable () -> Bool

    private init(path: String, pool: DatabasePool, tools: StoreTools, lock: FileLock?) {
        identity = try? FileStatus(of: path).identity
        self.path = path
        self.pool = StoreConnections(pool, path: path)
        var tools = tools
        tools.files = BodyFiles(beside: path)
        self.tools = tools
        self.lock = Locked(lock)
        isWanted = { true }
    }

    private init(_ store: FlowStore, while isWanted: @escaping @Sendable () -> Bool) {
        (path, pool, tools, identity) = (store.path, store.pool, store.tools, store.identity)
        lock = Locked(nil)
        self.isWanted = isWanted
    }

    /// The same store, for a search that may be in vain: who types a filter asks anew with each letter, and a search through
    /// bodies takes seconds in a large store.
    ///
    /// - Parameter isWanted: whether somebody still waits; where nobody does, the search ends before the next flow whose bytes it
    ///   would look into, and throws `calledOff`.
    package func reader(while isWanted: @escaping @Sendable () -> Bool) -> FlowStore {
        FlowStore(self, while: isWanted)
    }

    var isForRecording: Bool { lock.withLock { $0 != nil } }

    /// For the one process that records; the file and its folders are made where there are none.
    package static func open(
        path: String, limits: StoreLimits = StoreLimits(), tools: StoreTools = StoreTools()
    ) throws(StoreError) -> FlowStore {
        // By another name it is the same store, with the same lock.
        let path = Files.target(path)
        try check(path)
        try StoreFile.prepare(path)
        let lock: FileLock?
        do { lock = try FileLock(path + ".lock") } catch { throw .unusable(path: path, reason: error.reason) }
        guard let lock else { throw .inUse(path: path) }
        return try opened(path, limits: limits, tools: tools, lock: lock)
    }

    /// For everybody else: list, show, follow, clear, import.
    package static func reader(path: String, tools: StoreTools = StoreTools()) throws(StoreError) -> FlowStore {
        let path = Files.target(path)
        if try check(path) == .nothing { throw .missing(path: path) }
        return try opened(path, limits: StoreLimits(), tools: tools, lock: nil)
    }

    /// Takes a store away as a whole: on a full disk its file can be too full to be opened, and SQLite needs room to make room.
    ///
    /// The one that records next makes a new one. Throws `inUse` while one records.
    package static func erase(path: String) throws(StoreError) {
        let path = Files.target(path)
        if try check(path) == .nothing { throw .missing(path: path) }
        do {
            guard let lock = try FileLock(path + ".lock") else { throw StoreError.inUse(path: path) }
            BodyFiles(beside: path).removeAll(but: [])
            // The file first: a log that stays behind without it is thrown away, a file without its log is another.
            for suffix in ["", "-wal", "-shm"] { _ = FileTree.removeFile(path + suffix) }
            withExtendedLifetime(lock) {}
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Throws where something else lies there: before anything is put beside it.
    package static func require(path: String) throws(StoreError) { try check(Files.target(path)) }

    @discardableResult
    private static func check(_ path: String) throws(StoreError) -> StoreFile.Content {
        let content = try StoreFile.content(of: path)
        switch content {
        case .nothing, .ours: return content
        case .newer: throw .newer(path: path)
        case .foreign: throw .notAStore(path: path)
        }
    }

    private static func opened(
        _ path: String, limits: StoreLimits, tools: StoreTools, lock: FileLock?
    ) throws(StoreError) -> FlowStore {
        do {
            if try StoreFile.content(of: path) == .nothing { try StoreFile.create(path) }
            var configuration = Configuration()
            configuration.label = "store"
            // Whoever clears or imports holds the file for a moment only, and waits for a gap between the recorder's batches.
            configuration.busyMode = .timeout(lock == nil ? 30 : 5)
            // A page of the user's browser, its export and a terminal or two ask at once.
            configuration.maximumReaderCount = readers
            let log = logPages(limits)
            configuration.prepareDatabase { db in
                try db.execute(
                    sql: """
                        PRAGMA synchronous = NORMAL;
                        PRAGMA secure_delete = FAST;
                        PRAGMA temp_store = MEMORY;
                        PRAGMA cache_size = -\(cacheKiB);
                        PRAGMA wal_autocheckpoint = \(log);
                        PRAGMA journal_size_limit = \(log * pageSize);
                        """)
            }
            try checkMigrations(path)
            let pool = try DatabasePool(path: path, configuration: configuration)
            do {
                try StoreSchema.migrator.migrate(pool)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                // Another process was quicker, and has written down that it has done the same.
                try StoreSchema.migrator.migrate(pool)
            }
            return FlowStore(path: path, pool: pool, tools: tools, lock: lock)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// What a later version did may still be in the log; looked at by one that cannot write.
    private static func checkMigrations(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let isNewer = try queue.read(StoreSchema.migrator.hasBeenSuperseded)
        try queue.close()
        if isNewer { throw StoreError.newer(path: path) }
    }

    /// Copies the log into the file, which then ends where its last page is, and empties it. Readers are not waited for: if
    /// one is in the middle of the log, the next time will do.
    static func emptyLog(_ db: Database) throws {
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        defer { try? db.execute(sql: "PRAGMA busy_timeout = 5000") }
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private static let readers = 4

    /// How many its readers may come to need: each has the file and its log.
    package static let readersDescriptors = 2 * readers

    /// Of each connection: the ends of all indexes, which every flow touches, and the pages of a search.
    private static let cacheKiB = 8192

    /// SQLite's default.
    static let pageSize = 4096

    /// Pages of the write-ahead log before they are copied into the file: few in a small store, whose limit counts them,
    /// at most 8 MiB in a large one, where fewer copies are less work.
    private static func logPages(_ limits: StoreLimits) -> Int { max(32, min(2048, limits.bytes / 32 / pageSize)) }

    /// Somebody has removed the file, or put another in its place: what is written now, nobody would ever read.
    func checkPlace() throws(StoreError) {
        guard let identity, (try? FileStatus(of: path).identity) != identity else { return }
        throw .removed(path: path)
    }

    /// Of the store's files together, in bytes.
    package var size: Int { StoreFile.size(of: path) + files.size }

    var files: BodyFiles { BodyFiles(beside: path) }

    /// Reads; what SQLite says becomes an error for people.
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try pool.read(body) } catch { throw StoreError(error, path: path) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do { return try pool.write(body) } catch { throw StoreError(error, path: path) }
    }

    /// Another number each time that another process has changed the store: imported, cleared, marked. nil where that
    /// cannot be asked. Waits for what is being written.
    package var changesByOthers: Int? {
        try? pool.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA data_version") }
    }

    /// Lets go of the file, after the last read; whoever asks later is told. Its writer, where there is one, is closed first.
    ///
    /// - Parameter patience: seconds that a read may take. What is written is safe without: the log is left beside the file.
    package func close(patience: Double = 60) {
        pool.close(patience: patience)
        lock.withLock { $0 = nil }
    }
}
