import GRDB

/// By the full-text index, shelf after shelf, and whatever is not all in it.
final class TextStream: CandidateStream {
    private let branch: Narrowing.Branch
    private let db: Database
    private var shelves: ArraySlice<(table: String?, range: FlowRange)>
    private var current: MergedStream?

    init(_ branch: Narrowing.Branch, _ range: FlowRange, _ db: Database) throws {
        self.branch = branch
        self.db = db
        let all = try TextShelf.all(db)
        var parts: [(table: String?, range: FlowRange)] = []
        // What lies before the first shelf is not in the index yet.
        parts.append((nil, range.clamped(.min, (all.first?.first ?? .max) - (all.isEmpty ? 0 : 1))))
        for (index, shelf) in all.enumerated() {
            let end = index + 1 < all.count ? all[index + 1].first - 1 : .max
            parts.append((shelf.table, range.clamped(shelf.first, end)))
        }
        parts.removeAll { $0.range.lower > $0.range.upper }
        shelves = (range.order == .oldestFirst ? parts : parts.reversed())[...]
    }

    func next() throws -> Int64? {
        while true {
            if let id = try current?.next() { return id }
            guard let (table, range) = shelves.popFirst() else { return nil }
            var streams: [any CandidateStream] = [
                try ColumnStream.notIndexed(branch.conditions, range, db)
            ]
            if let table { streams.append(try ShelfStream(table, branch, range, db)) }
            current = try MergedStream(streams, range)
        }
    }
}

/// One shelf of the full-text index, and columns where the filter asks for them too.
private final class ShelfStream: CandidateStream {
    private let cursor: FastDatabaseValueCursor<Int64>

    init(_ table: String, _ branch: Narrowing.Branch, _ range: FlowRange, _ db: Database) throws {
        let match = branch.letters.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: " AND ")
        var sql = "SELECT \(table).rowid FROM \(table)"
        if !branch.conditions.isEmpty { sql += " CROSS JOIN flow ON flow.id = \(table).rowid" }
        sql += " WHERE \(table) MATCH ? AND \(table).rowid >= ? AND \(table).rowid <= ?"
        var arguments: [any DatabaseValueConvertible] = [match, range.lower, range.upper]
        for condition in branch.conditions {
            sql += " AND \(condition.sql)"
            arguments += condition.arguments
        }
        sql += " ORDER BY \(table).rowid \(range.direction)"
        cursor = try Int64.fetchCursor(db, sql: sql, arguments: StatementArguments(arguments))
    }

    func next() throws -> Int64? { try cursor.next() }
}
