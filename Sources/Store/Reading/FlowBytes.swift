import Facts
import Flows
import Foundation
import GRDB

/// What lies beside a flow: its bodies, messages and raw bytes.
enum FlowBytes {
    /// nil where it lay in a file that is gone.
    static func body(
        _ flow: Int64, _ direction: ExchangeDirection, _ files: BodyFiles, _ db: Database, limit: Int = .max
    ) throws -> [UInt8]? {
        guard let body = try place(flow, direction, db) else { return [] }
        return try BodyShelf.bytes(body, files, db, limit: limit)
    }

    /// The row of `body`.
    static func place(_ flow: Int64, _ direction: ExchangeDirection, _ db: Database) throws -> Int64? {
        let column = direction == .up ? "request_body" : "response_body"
        let find = try db.cachedStatement(sql: "SELECT \(column) FROM flow WHERE id = ?")
        return try Int64.fetchOne(find, arguments: [flow])
    }

    /// - Parameters:
    ///   - bytes: of their data; a first one that has more is read all the same.
    static func messages(
        _ flow: Int64, from first: Int, limit: Int, bytes: Int = .max, _ db: Database
    ) throws -> MessagePage {
        let sql = """
            SELECT n, at, up, kind, size, cut, data, length(data) + coalesce(length(name), 0), name FROM message
            WHERE flow = ? AND n >= ? ORDER BY n LIMIT ?
            """
        let most = limit == .max ? limit : limit + 1
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [flow, first, most])
        var messages: [FlowMessage] = []
        var room = bytes
        while let row = try rows.next() {
            let length: Int = try row.value(7)
            if messages.count == limit || !messages.isEmpty && length > room {
                return MessagePage(messages: messages, next: messages.last?.index)
            }
            room -= min(room, length)
            let data: Data = try row.value(6)
            let kind = ExchangeMessage.Kind(rawValue: try row.value(3)) ?? .binary
            let content = ExchangeMessage(
                from: try row.value(2) ? .up : .down, kind, name: try row.optional(8), Array(data),
                size: try row.value(4), isCut: try row.value(5))
            messages.append(FlowMessage(index: try row.value(0), atMS: try row.value(1), content))
        }
        return MessagePage(messages: messages)
    }

    static func raw(_ flow: Int64, _ direction: ExchangeDirection, _ db: Database) throws -> [UInt8] {
        let sql = "SELECT bytes FROM raw WHERE flow = ? AND up = ? ORDER BY n"
        let pieces = try Data.fetchCursor(db.cachedStatement(sql: sql), arguments: [flow, direction == .up])
        var bytes: [UInt8] = []
        while let piece = try pieces.next() { bytes += piece }
        return bytes
    }
}
