import Facts
import Flows
import Foundation
import GRDB

/// What was in the store before, and what others did to it meanwhile.
extension BatchWriter {
    /// Of a flow whose end nobody has seen: the recorder was killed, or could not keep up.
    static let incompleteTag = ConnectionRecorder.incompleteTag

    static func exists(_ id: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM flow WHERE id = ?"), arguments: [id]) ?? false
    }

    /// What a person has said of the flow meanwhile; a recorder knows nothing of it.
    static func remarks(_ id: Int64, _ db: Database) throws -> (mark: String?, comment: String?)? {
        let find = try db.cachedStatement(sql: "SELECT flags FROM flow WHERE id = ?")
        let flags = try Int.fetchOne(find, arguments: [id]) ?? 0
        guard flags & (FlowFlags.marked | FlowFlags.commented) != 0, let flow = try FlowRow.flow(id, db) else {
            return nil
        }
        return (flow.mark, flow.comment)
    }

    /// Keeps what a person says of a flow. It is not in the full-text index.
    static func annotate(_ flow: Flow, _ db: Database) throws {
        let change = try lastChange(db) + 1
        try db.execute(
            sql: "UPDATE flow SET change = ?, flags = ? WHERE id = ?", arguments: [change, flow.flags, flow.id])
        try save(change: change, db)
        try db.execute(sql: "UPDATE doc SET json = ? WHERE id = ?", arguments: [Data(flow.json), flow.id])
    }

    static func load(_ id: Int64, _ db: Database) throws -> OpenFlow? {
        let find = try db.cachedStatement(
            sql:
                "SELECT request_body, response_body, (SELECT max(n) + 1 FROM raw WHERE flow = id) FROM flow WHERE id = ?"
        )
        guard let row = try Row.fetchOne(find, arguments: [id]) else { return nil }
        return OpenFlow(
            up: try place(row.optional(0), db), down: try place(row.optional(1), db), raw: try row.optional(2) ?? 0)
    }

    private static func place(_ body: Int64?, _ db: Database) throws -> BodyShelf.Place {
        guard let body else { return BodyShelf.Place() }
        let extent = try BodyShelf.extent(body, db)
        let sql = "SELECT key IS NOT NULL OR bytes IS NOT NULL FROM body WHERE id = ?"
        let isSettled = try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [body]) ?? true
        return BodyShelf.Place(
            body: body, stored: extent.bytes, pieces: extent.pieces, isSettled: isSettled,
            file: try BodyShelf.file(of: body, db)?.name)
    }

    /// Ends flows that a process has left open which is no more.
    func abortLeftOvers(_ db: Database) throws {
        bodies.forget()
        change = try Self.lastChange(db)
        for id in try Int64.fetchAll(db, sql: "SELECT id FROM flow WHERE state = 0 AND state <> 1") {
            try end(id, tag: Self.incompleteTag, db)
        }
        try bodies.finish(db)
        try Self.save(change: change, db)
    }

    /// The recorder is closed, and has not ended them.
    func abortRest(_ db: Database) throws {
        bodies.forget()
        change = try Self.lastChange(db)
        for id in open.keys.sorted() { try end(id, tag: Self.incompleteTag, db) }
        try bodies.finish(db)
        try Self.save(change: change, db)
    }

    func end(_ id: Int64, tag: String, _ db: Database) throws {
        guard var flow = try FlowRow.flow(id, db), let state = try Self.load(id, db) else { return }
        flow.state = .aborted
        if !flow.tags.contains(tag) { flow.tags.append(tag) }
        flow = corrected(flow, state)
        try update(flow, state, db)
        open[id] = nil
    }
}
