import Facts
import Flows
import Foundation
import GRDB

/// A flow as it stands in the file: its JSON, and its number beside it.
enum FlowRow {
    static func flow(_ id: Int64, _ db: Database) throws -> Flow? {
        let find = try db.cachedStatement(sql: "SELECT json FROM doc WHERE id = ?")
        return try Data.fetchOne(find, arguments: [id]).map { try flow(id, json: $0) }
    }

    static func flow(_ id: Int64, json: Data) throws -> Flow {
        do {
            var flow = try Flow(json: JSONValue.parse([UInt8](json)))
            flow.id = id
            return flow
        } catch {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "flow \(id) cannot be read: \(error)")
        }
    }
}
