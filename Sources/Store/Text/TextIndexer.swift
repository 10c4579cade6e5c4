import Flows
import Foundation
import GRDB
import Loop

/// Puts the text of flows that have ended into the index, some at a time.
///
/// Lives on the writer's thread, which calls it when nothing else is to be done.
struct TextIndexer {
    /// One bite is one transaction, and one part of the index that is merged with others later: the larger, the less
    /// is merged.
    private static let flows = 4000
    private static let bytes = 8 << 20
    /// Seconds after which a bite is over, however much of it is left: a batch that has come meanwhile waits for it, and what
    /// waits is lost if the process is killed.
    private static let moment = 0.15

    private let tools: StoreTools
    /// Of text, on one shelf: a small store has small ones, for they go as a whole.
    private let shelfBytes: Int
    /// Seconds.
    private let now: @Sendable () -> Double
    /// Flows up to this one were seen to.
    private var done: Int64 = 0

    init(
        _ limits: StoreLimits, _ tools: StoreTools, now: @escaping @Sendable () -> Double = { MonotonicClock.now }
    ) {
        self.now = now
        self.tools = tools
        shelfBytes = max(64 << 10, min(64 << 20, limits.bytes / 64))
    }

    /// A flow has ended that lies before those which were seen to.
    mutating func comeBack(to flow: Int64) { done = min(done, flow - 1) }

    /// After a transaction that was undone.
    mutating func startOver() { done = 0 }

    /// Takes one bite; whether there may be more.
    mutating func step(_ db: Database) throws -> Bool {
        let sql = """
            SELECT id FROM flow INDEXED BY flow_not_indexed
            WHERE indexed <> 1 AND indexed = 0 AND state <> 0 AND id > ? ORDER BY id LIMIT ?
            """
        let ids = try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: [done, Self.flows])
        guard !ids.isEmpty else { return false }
        done = try write(ids, db)
        return true
    }

    /// - Returns: the last one that was seen to.
    private func write(_ ids: [Int64], _ db: Database) throws -> Int64 {
        let end = now() + Self.moment
        var shelves = try TextShelf.all(db)
        let mark = try db.cachedStatement(sql: "UPDATE flow SET indexed = ? WHERE id = ?")
        var changed: Set<Int> = []
        var last = done
        var size = 0
        for id in ids {
            last = id
            guard let flow = try FlowRow.flow(id, db) else { continue }
            let text = try FlowText(flow, db, tools)
            size += max(1, text.bytes.count)
            let place = try place(for: id, &shelves, db)
            let sql = "INSERT INTO \(shelves[place].table) (rowid, t) VALUES (?, ?)"
            try db.cachedStatement(sql: sql).execute(arguments: [id, String(decoding: text.bytes, as: UTF8.self)])
            shelves[place].flows += 1
            shelves[place].bytes += text.bytes.count
            shelves[place].first = min(shelves[place].first, id)
            shelves[place].last = max(shelves[place].last, id)
            changed.insert(place)
            try mark.execute(arguments: [text.isWhole ? 1 : 2, id])
            if size >= Self.bytes || now() >= end { break }
        }
        for place in changed { try shelves[place].save(db) }
        return last
    }

    /// The shelf in whose range the flow lies; a new one behind the last, when that is full.
    private func place(for id: Int64, _ shelves: inout [TextShelf], _ db: Database) throws -> Int {
        guard let last = shelves.last else {
            shelves.append(try TextShelf.create(first: id, db))
            return 0
        }
        if id >= last.first {
            let isFull = last.flows >= TextShelf.mostFlows || last.bytes >= shelfBytes
            // A flow that ended late, among those that are on it, does not begin a new one.
            if isFull, id > last.last { shelves.append(try TextShelf.create(first: id, db)) }
            return shelves.count - 1
        }
        return shelves.lastIndex { $0.first <= id } ?? 0
    }
}
