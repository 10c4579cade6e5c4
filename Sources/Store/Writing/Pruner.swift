import Flows
import GRDB
import Loop

/// Keeps a store within its limits: the oldest flows go first, some at a time.
///
/// Lives on the writer's thread.
struct Pruner {
    /// Before the limit, room for what comes until the next look: a batch, in the log and in the file.
    private static let headroom = 16 << 20
    /// Of where it begins, this much is left when it is done, so that it does not begin anew with every flow.
    private static let slack = 0.9
    /// Pages that are given back to the file system at once.
    private static let pages = 1000

    let limits: StoreLimits
    let path: String
    private let now: @Sendable () -> Double
    private var isPruning = false

    init(_ limits: StoreLimits, path: String, now: @escaping @Sendable () -> Double) {
        self.limits = limits
        self.path = path
        self.now = now
    }

    /// One bite of what is too much; whether there is more to do.
    mutating func step(_ db: Database) throws -> Bool {
        let ids = try victims(db)
        if !ids.isEmpty {
            try db.inTransaction(.immediate) {
                try FlowRemoval.remove(ids, BodyFiles(beside: path), db)
                try TextShelf.removeEmpty(db)
                return .commit
            }
            return true
        }
        guard isPruning else { return false }
        let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        guard free > 0 else {
            isPruning = false
            try FlowStore.emptyLog(db)
            return false
        }
        try db.execute(sql: "PRAGMA incremental_vacuum(\(Self.pages))")
        return true
    }

    /// Where it begins.
    private var threshold: Int { limits.bytes - min(limits.bytes / 5, Self.headroom) }

    private mutating func victims(_ db: Database) throws -> [Int64] {
        let oldest = now() - limits.days * 86_400
        let old = try Int64.fetchAll(
            db, sql: "SELECT id FROM flow WHERE started < ? LIMIT \(FlowRemoval.bite)", arguments: [oldest])
        if !old.isEmpty {
            isPruning = true
            return old
        }
        if !isPruning {
            guard StoreFile.size(of: path) + (try BodyShelf.fileSizes(db)) > threshold else { return [] }
            isPruning = true
        }
        // The log comes on top of what is in use; its own size goes up and down with what readers hold on to.
        let used =
            try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
            - (Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0)
        let log = (try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint") ?? 0) * FlowStore.pageSize
        let all = used * FlowStore.pageSize + log + (try BodyShelf.fileSizes(db))
        guard Double(all) > Double(threshold) * Self.slack else { return [] }
        return try oldestFlows(worth: limits.bytes / 50, db)
    }

    /// At least one, at most a bite, and not many more than hold so many bytes: the newest are to stay.
    private func oldestFlows(worth bytes: Int, _ db: Database) throws -> [Int64] {
        let sql = """
            SELECT id, coalesce(request_size, 0) + coalesce(response_size, 0) + length(json) + 200
            FROM flow JOIN doc USING (id) ORDER BY id LIMIT \(FlowRemoval.bite)
            """
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql))
        var ids: [Int64] = []
        var sum = 0
        while sum < bytes, let row = try rows.next() {
            ids.append(try row.value(0))
            sum += max(0, min(bytes, try row.optional(1) ?? 0))
        }
        return ids
    }
}
