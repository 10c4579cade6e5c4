import GRDB

/// Takes flows out of a store, with everything that nobody else uses.
enum FlowRemoval {
    /// In one transaction: some tens of milliseconds.
    static let bite = 500

    /// - Returns: how many there were.
    @discardableResult
    static func remove(_ flows: [Int64], _ files: BodyFiles, _ db: Database) throws -> Int {
        let bodies = try db.cachedStatement(sql: "SELECT request_body, response_body FROM flow WHERE id = ?")
        let parts = try [
            "DELETE FROM flow WHERE id = ?", "DELETE FROM doc WHERE id = ?", "DELETE FROM tag WHERE flow = ?",
            "DELETE FROM message WHERE flow = ?", "DELETE FROM raw WHERE flow = ?",
        ].map { try db.cachedStatement(sql: $0) }
        var count = 0
        for flow in flows {
            guard let row = try Row.fetchOne(bodies, arguments: [flow]) else { continue }
            for column in 0...1 {
                if let body: Int64 = try row.optional(column) { try BodyShelf.release(body, files, db) }
            }
            for part in parts { try part.execute(arguments: [flow]) }
            count += 1
        }
        return count
    }
}
