import Facts
import Flows
import Foundation
import GRDB
import Support
import Testing

@testable import Store

@Suite struct StoreSchemaTests {
    /// Everything that is asked of messages while flows are recorded, read, searched and removed.
    private static let questions = [
        "SELECT n, at, up, kind, size, cut, data, name FROM message WHERE flow = 1 AND n >= 1 ORDER BY n LIMIT 9",
        "SELECT data FROM message WHERE flow = 1 AND up = 1 AND kind <> 'binary'",
        "SELECT data FROM message WHERE flow = 1 AND kind <> 'binary' ORDER BY n",
        "DELETE FROM message WHERE flow = 1",
    ]

    private static func message(_ index: Int, _ data: [UInt8]) -> FlowMessage {
        FlowMessage(index: index, atMS: Double(index), ExchangeMessage(from: .down, .text, data))
    }

    private static func webSocket(_ id: Int64, messages: Int) -> Flow {
        var flow = Samples.flow(id)
        flow.kind = .websocket
        flow.messages = messages
        return flow
    }

    @Test("no search for a message's place meets other messages' bytes: they are in rows, and their places in an index")
    func messagesAreRows() throws {
        let test = try StoreUnderTest()
        try test.store.pool.read { db in
            // Only a table whose rows are no keys has this column.
            #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM message") == [])
            #expect(try db.primaryKey("message").isRowID)
            #expect(try db.indexes(on: "message").map(\.columns) == [["flow", "n"]])
            for question in Self.questions {
                let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + question).map { $0["detail"] as String }
                #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH message USING INDEX "), "\(plan)")
            }
        }
        test.close()
    }

    /// A store as version 2 of the tables had it, with one flow and its messages.
    private static func makeOld(_ path: String, _ messages: [FlowMessage]) throws {
        try StoreFile.prepare(path)
        let queue = try DatabaseQueue(path: path)
        try StoreSchema.migrator.migrate(queue, upTo: "2")
        try queue.write { db in
            #expect(try !db.primaryKey("message").isRowID)
            _ = try BatchWriter(BodyShelf(BodyFiles(beside: path))).write(
                ChangeQueue.Batch(
                    changes: [.flow(webSocket(1, messages: messages.count))]), db)
            for message in messages {
                try db.execute(
                    sql:
                        "INSERT INTO message (flow, n, at, up, kind, size, cut, data) VALUES (1, ?, ?, 0, 'text', ?, 0, ?)",
                    arguments: [message.index, message.atMS, message.message.size, Data(message.message.data)])
            }
        }
        try queue.close()
        #expect(try StoreFile.content(of: path) == .ours)
    }

    @Test("a store of the version before has its messages still, takes more, and removes them with their flow")
    func oldMessages() throws {
        let folder = try TemporaryFolder()
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let messages = [Self.message(0, large), Self.message(1, []), Self.message(2, large.reversed())]
        try Self.makeOld(folder.path + "/data/flows.db", messages)
        let test = try StoreUnderTest(folder)
        #expect(try test.store.pool.read { try $0.primaryKey("message").isRowID })
        #expect(try test.store.whole(1)?.flow.messages == messages)
        // One that comes twice is there once.
        var more = [Self.message(2, [2]), Self.message(3, [3])]
        more[1].message.name = "delta"
        test.record(
            .message(flow: 1, more[0]), .message(flow: 1, more[1]), .flow(Self.webSocket(1, messages: 4)))
        test.record(.message(flow: 2, more[1]), .flow(Self.webSocket(2, messages: 1)))
        #expect(try test.store.whole(1)?.flow.messages == messages[..<2] + more)
        try test.store.write { db in _ = try FlowRemoval.remove([1], test.store.files, db) }
        #expect(try test.store.pool.read { try Int.fetchAll($0, sql: "SELECT flow FROM message") } == [2])
        #expect(try test.store.pool.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
        test.close()
        #expect(throws: Never.self) { try FlowStore.reader(path: test.path).close() }
    }
}
