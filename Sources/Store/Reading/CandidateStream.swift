import GRDB

/// Numbers of flows that are worth a look, in their order, read as they are asked for.
protocol CandidateStream: AnyObject {
    func next() throws -> Int64?
}

/// Which flows are asked for: a range of numbers, from one of its ends.
struct FlowRange: Hashable {
    /// Both included.
    var lower: Int64 = .min
    var upper: Int64 = .max
    var order = FlowOrder.oldestFirst

    var direction: String { order == .oldestFirst ? "ASC" : "DESC" }

    func clamped(_ lower: Int64, _ upper: Int64) -> FlowRange {
        FlowRange(lower: max(self.lower, lower), upper: min(self.upper, upper), order: order)
    }

    func isBefore(_ a: Int64, _ b: Int64) -> Bool { order == .oldestFirst ? a < b : a > b }
}

/// By columns alone.
final class ColumnStream: CandidateStream {
    /// So many rows are sorted, or counted to see that there are more, in a few milliseconds.
    private static let few = 5000
    /// Streams that are merged.
    private static let mostValues = 16

    private let cursor: FastDatabaseValueCursor<Int64>

    private init(_ sql: String, _ arguments: [any DatabaseValueConvertible], _ db: Database) throws {
        cursor = try Int64.fetchCursor(db, sql: sql, arguments: StatementArguments(arguments))
    }

    func next() throws -> Int64? { try cursor.next() }

    /// SQLite knows nothing of how often a value occurs, and would read all of a common one to sort it. So the least common
    /// one is looked for here, and every other index hidden from it.
    static func stream(_ conditions: [ColumnCondition], _ range: FlowRange, _ db: Database) throws
        -> any CandidateStream
    {
        var best: (index: Int, count: Int)?
        for (index, condition) in conditions.enumerated() {
            guard let count = try count(condition, db), count < best?.count ?? .max else { continue }
            best = (index, count)
        }
        var others = conditions
        if let best {
            let first = others.remove(at: best.index)
            if best.count < few { return try sorted(first, others, range, db) }
            if let column = first.column, column.values.count <= mostValues {
                let streams: [any CandidateStream] = try column.values.map { value in
                    try ordered("\(column.name) = \(value)", [], others, range, db)
                }
                return streams.count == 1 ? streams[0] : try MergedStream(streams, range)
            }
        }
        return try ordered("1", [], conditions, range, db)
    }

    /// One of the conditions is met by so few flows that each of them can be looked at.
    static func isRare(_ conditions: [ColumnCondition], _ db: Database) throws -> Bool {
        try conditions.contains { try count($0, db) ?? few < few / 20 }
    }

    /// Of flows that meet it: how many, at most `few`; nil where there is no index.
    private static func count(_ condition: ColumnCondition, _ db: Database) throws -> Int? {
        guard let indexed = condition.indexed else { return nil }
        return try Int.fetchOne(
            db, sql: "SELECT count(*) FROM (SELECT 1 FROM flow WHERE \(indexed) LIMIT \(few))",
            arguments: StatementArguments(condition.arguments))
    }

    private static func sorted(
        _ first: ColumnCondition, _ others: [ColumnCondition], _ range: FlowRange, _ db: Database
    ) throws -> ColumnStream {
        let conditions = [first.indexed ?? first.sql, "+id >= ?", "+id <= ?"] + others.map(\.sql)
        let sql = "SELECT id FROM flow WHERE \(conditions.joined(separator: " AND ")) ORDER BY +id \(range.direction)"
        return try ColumnStream(
            sql, first.arguments + [range.lower, range.upper] + others.flatMap(\.arguments), db)
    }

    private static func ordered(
        _ first: String, _ arguments: [any DatabaseValueConvertible], _ others: [ColumnCondition], _ range: FlowRange,
        _ db: Database
    ) throws -> ColumnStream {
        let conditions = [first, "id >= ?", "id <= ?"] + others.map(\.sql)
        let sql = "SELECT id FROM flow WHERE \(conditions.joined(separator: " AND ")) ORDER BY id \(range.direction)"
        return try ColumnStream(sql, arguments + [range.lower, range.upper] + others.flatMap(\.arguments), db)
    }

    /// Those that are not all in the full-text index.
    static func notIndexed(
        _ conditions: [ColumnCondition], _ range: FlowRange, _ db: Database
    ) throws -> ColumnStream {
        let all = ["indexed <> 1", "id >= ?", "id <= ?"] + conditions.map(\.sql)
        let sql = """
            SELECT id FROM flow INDEXED BY flow_not_indexed WHERE \(all.joined(separator: " AND "))
            ORDER BY id \(range.direction)
            """
        return try ColumnStream(sql, [range.lower, range.upper] + conditions.flatMap(\.arguments), db)
    }
}

/// Several streams as one, each flow once.
final class MergedStream: CandidateStream {
    private var streams: [(stream: any CandidateStream, next: Int64?)]
    private let range: FlowRange

    init(_ streams: [any CandidateStream], _ range: FlowRange) throws {
        self.streams = try streams.map { ($0, try $0.next()) }
        self.range = range
    }

    func next() throws -> Int64? {
        let range = range
        guard let first = streams.compactMap(\.next).min(by: range.isBefore) else { return nil }
        for index in streams.indices where streams[index].next == first {
            streams[index].next = try streams[index].stream.next()
        }
        return first
    }
}
