import GRDB
import Loop

/// Hands out flows' numbers: each once, ever, whoever writes.
///
/// The recorder asks for one with every flow and cannot wait for a disk, so a block of them is reserved beforehand. An
/// import takes its own behind that block, and the recorder goes on behind those a moment later: numbers grow in the order
/// in which flows came to the store.
final class FlowIDs: Sendable {
    private struct State {
        var next: Int64
        var end: Int64
        /// The block after this one.
        var following: Range<Int64>?
    }

    /// Half of it, which is left when the next one is reserved, is more than can wait in the writer's queue.
    private static let block: Int64 = 131_072

    private let state: Locked<State>

    init(_ db: Database) throws {
        let first = try Self.firstFree(db)
        try db.execute(sql: "UPDATE ids SET first = ?, reserved = ?", arguments: [first, first + Self.block])
        state = Locked(State(next: first, end: first + Self.block))
    }

    /// What the block has; beyond it, when the store has stood still for longer than that, what would have come next.
    func next() -> Int64 {
        state.withLock { state in
            if state.next >= state.end, let following = state.following {
                (state.next, state.end) = (max(state.next, following.lowerBound), following.upperBound)
                state.following = nil
            }
            defer { state.next += 1 }
            return state.next
        }
    }

    var mustReserve: Bool {
        state.withLock { $0.following == nil && $0.end - $0.next < Self.block / 2 }
    }

    /// What `reserve` has read is to be used once it is written.
    func reserve(_ db: Database) throws -> Range<Int64> {
        let last = state.withLock { max($0.next, $0.following?.upperBound ?? $0.end) }
        let reserved = try Int64.fetchOne(db, sql: "SELECT reserved FROM ids") ?? 0
        try Self.requireRoom(reserved)
        let range = max(last, reserved)..<(max(last, reserved) + Self.block)
        try db.execute(sql: "UPDATE ids SET reserved = ?", arguments: [range.upperBound])
        return range
    }

    /// Somebody has taken numbers behind those that are reserved here.
    func isOvertaken(_ db: Database) throws -> Bool {
        let reserved = try Int64.fetchOne(db.cachedStatement(sql: "SELECT reserved FROM ids")) ?? 0
        return state.withLock { reserved > ($0.following?.upperBound ?? $0.end) }
    }

    /// - Parameter isNext: what is left of the blocks before it is not used any more.
    func add(_ range: Range<Int64>, isNext: Bool = false) {
        state.withLock { state in
            if isNext {
                (state.next, state.end, state.following) = (max(state.next, range.lowerBound), range.upperBound, nil)
            } else if state.next <= state.end, state.end == range.lowerBound {
                state.end = range.upperBound
            } else {
                state.following = range
            }
        }
    }

    /// What was not used can be had by the next one, where nobody has reserved behind it.
    func giveBack(_ db: Database) throws {
        let (next, end) = state.withLock { ($0.next, $0.following?.upperBound ?? $0.end) }
        try db.execute(
            sql: """
                UPDATE ids SET used = max(used, ?1 - 1), first = ?1,
                reserved = CASE reserved WHEN ?2 THEN ?1 ELSE max(first, reserved) END
                """, arguments: [next, end])
    }

    private static func firstFree(_ db: Database) throws -> Int64 {
        let sql = "SELECT max((SELECT used FROM ids), (SELECT coalesce(max(id), 0) FROM flow)) + 1"
        let first = try Int64.fetchOne(db, sql: sql) ?? 1
        try requireRoom(first)
        return first
    }

    /// Numbers that no store has used up; whoever counts on from here does not come to an end.
    private static func requireRoom(_ number: Int64) throws {
        guard 0...1 << 62 ~= number else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its flows are numbered from \(number) on")
        }
    }

    /// Beyond it, an import's numbers are replaced: there has to be room for those that come after them.
    private static let mostImported: Int64 = 1 << 52

    /// For an import: its own numbers where they are free, else new ones behind all that is in use or given out.
    static func take(_ wanted: [Int64], _ db: Database) throws -> [Int64] {
        let row = try Row.fetchOne(db, sql: "SELECT first, reserved FROM ids")
        let (first, reserved): (Int64, Int64) = try (row?.optional(0) ?? 1, row?.optional(1) ?? 1)
        try requireRoom(reserved)
        let find = try db.makeStatement(sql: "SELECT 1 FROM flow WHERE id = ?")
        var taken: Set<Int64> = []
        var ids = try wanted.map { id -> Int64? in
            guard id > 0, id < mostImported, id < first || id >= reserved, !taken.contains(id),
                try Int.fetchOne(find, arguments: [id]) == nil
            else { return nil }
            taken.insert(id)
            return id
        }
        var next = max(try firstFree(db), reserved, (taken.max() ?? 0) + 1)
        for index in ids.indices where ids[index] == nil {
            ids[index] = next
            next += 1
        }
        try db.execute(sql: "UPDATE ids SET used = max(used, ?1 - 1), reserved = max(reserved, ?1)", arguments: [next])
        return ids.compactMap { $0 }
    }
}
