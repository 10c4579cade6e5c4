import Facts
import Filters
import Flows
import GRDB

/// A flow with everything beside it, as an import brings it.
package struct WholeFlow: Hashable, Sendable {
    package var flow: Flow
    /// As on the wire after the removal of framing.
    package var requestBody: [UInt8]
    package var responseBody: [UInt8]
    package var messages: [FlowMessage]
    package var requestRaw: [UInt8]
    package var responseRaw: [UInt8]

    package init(
        _ flow: Flow, requestBody: [UInt8] = [], responseBody: [UInt8] = [], messages: [FlowMessage] = [],
        requestRaw: [UInt8] = [], responseRaw: [UInt8] = []
    ) {
        self.flow = flow
        self.requestBody = requestBody
        self.responseBody = responseBody
        self.messages = messages
        self.requestRaw = requestRaw
        self.responseRaw = responseRaw
    }
}

extension FlowStore {
    /// Adds flows from elsewhere, all or none of them; a number that is taken, or is none, is replaced by a new one.
    ///
    /// Works while a recorder writes. What it cannot index, the recorder indexes; until then it is looked through.
    ///
    /// - Returns: the numbers they have now, in the same order.
    package func insert(_ flows: [WholeFlow]) throws(StoreError) -> [Int64] {
        try write { db in
            let ids = try FlowIDs.take(flows.map(\.flow.id), db)
            var batch = ChangeQueue.Batch()
            for (id, whole) in zip(ids, flows) { batch.changes += whole.changes(id: id) }
            _ = try BatchWriter(BodyShelf(files), checking: tools.sha256 ?? { _ in [] }).write(batch, db)
            return ids
        }
    }

    /// - Returns: how many there were. Some at a time, so that a recorder is not held up.
    @discardableResult
    package func delete(matching filter: Filter = .everything) throws(StoreError) -> Int {
        let ids = try ids(matching: filter)
        var count = 0
        // On a full disk, the room that the log holds and does not need is all there is.
        if !ids.isEmpty { try? pool.writeWithoutTransaction(FlowStore.emptyLog) }
        for start in stride(from: 0, to: ids.count, by: FlowRemoval.bite) {
            let bite = Array(ids[start..<min(ids.count, start + FlowRemoval.bite)])
            count += try write { db in try FlowRemoval.remove(bite, files, db) }
        }
        try write { db in try TextShelf.removeEmpty(db) }
        if count > 0 { try shrink() }
        return count
    }

    /// Gives pages that are free back to the file system.
    private func shrink() throws(StoreError) {
        do {
            try pool.writeWithoutTransaction { db in
                // On a full disk the log's room is what the rest needs.
                try FlowStore.emptyLog(db)
                while try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0 > 0 {
                    try db.execute(sql: "PRAGMA incremental_vacuum(1000)")
                }
                try FlowStore.emptyLog(db)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            // They are gone all the same, and what comes next takes their room.
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// What a person says of a flow; whether there is such a flow. nil leaves it as it is, an empty text takes it away.
    package func annotate(_ id: Int64, mark: String? = nil, comment: String? = nil) throws(StoreError) -> Flow? {
        try write { db in
            guard var flow = try FlowRow.flow(id, db) else { return nil }
            if let mark { flow.mark = mark.isEmpty ? nil : mark }
            if let comment { flow.comment = comment.isEmpty ? nil : comment }
            try BatchWriter.annotate(flow, db)
            return flow
        }
    }
}

extension WholeFlow {
    fileprivate func changes(id: Int64) -> [FlowChange] {
        var flow = flow
        flow.id = id
        // Whoever exported it saw it open; nobody here will end it.
        if flow.state == .open { flow.state = .aborted }
        var changes: [FlowChange] = []
        for (direction, bytes) in [(ExchangeDirection.up, requestBody), (.down, responseBody)] where !bytes.isEmpty {
            changes.append(.body(flow: id, direction, bytes))
        }
        for (direction, bytes) in [(ExchangeDirection.up, requestRaw), (.down, responseRaw)] where !bytes.isEmpty {
            changes.append(.raw(flow: id, direction, bytes))
        }
        changes += messages.map { .message(flow: id, $0) }
        return changes + [.flow(flow)]
    }
}
