import GRDB

/// One part of the full-text index: flows whose numbers lie side by side.
///
/// The index keeps no text of its own (FTS5, contentless), and what is not known cannot be taken out of it again. So it
/// stands on shelves, each a table, and a shelf is thrown away when the last of its flows is gone. Until then a flow that
/// is no more may still be found in it, and is found to be no more. Three letters at a time are indexed, without their
/// places: what has all of a word's letters need not have the word, and is looked at before it is said to match.
struct TextShelf: Hashable {
    /// Some 30 MiB on disk; what is thrown away at once takes some hundredths of a second.
    static let mostFlows = 50_000

    /// What FTS5 collects in memory before it writes it as one part: all of a bite.
    private static let partBytes = 16 << 20

    let number: Int64
    /// The first flow that may be on it; the next shelf's first is the end.
    var first: Int64
    /// The last flow that is on it.
    var last: Int64
    var flows: Int
    /// Of indexed text.
    var bytes: Int

    var table: String { "text_\(number)" }

    static func all(_ db: Database) throws -> [TextShelf] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT n, first, last, flows, bytes FROM shelf ORDER BY first")).map {
            TextShelf(number: $0[0], first: $0[1], last: $0[2], flows: $0[3], bytes: $0[4])
        }
    }

    static func create(first: Int64, _ db: Database) throws -> TextShelf {
        let number = (try Int64.fetchOne(db, sql: "SELECT max(n) FROM shelf") ?? 0) + 1
        let shelf = TextShelf(number: number, first: first, last: first, flows: 0, bytes: 0)
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE \(shelf.table)
                USING fts5(t, content='', columnsize=0, detail=none, tokenize='trigram')
                """)
        // Parts are merged sixteen at a time, when there are so many. Merging a little with every bite, which is the
        // default, writes each entry several times over; a shelf has some fifty parts at most.
        try db.execute(
            sql: """
                INSERT INTO \(shelf.table) (\(shelf.table), rank) VALUES ('automerge', 16);
                INSERT INTO \(shelf.table) (\(shelf.table), rank) VALUES ('hashsize', \(partBytes))
                """)
        try db.execute(
            sql: "INSERT INTO shelf (n, first, last, flows, bytes) VALUES (?1, ?2, ?2, 0, 0)",
            arguments: [number, first])
        return shelf
    }

    func save(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE shelf SET first = ?, last = ?, flows = ?, bytes = ? WHERE n = ?")
            .execute(arguments: [first, last, flows, bytes, number])
    }

    /// Throws away those whose flows are all gone.
    static func removeEmpty(_ db: Database) throws {
        let shelves = try all(db)
        let exists = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM flow WHERE id >= ? AND id < ?)")
        for (index, shelf) in shelves.enumerated() {
            let end = index + 1 < shelves.count ? shelves[index + 1].first : .max
            guard try Bool.fetchOne(exists, arguments: [shelf.first, end]) == false else { continue }
            try db.execute(sql: "DROP TABLE \(shelf.table)")
            try db.execute(sql: "DELETE FROM shelf WHERE n = ?", arguments: [shelf.number])
        }
    }
}
