import Facts
import Filters
import Flows
import GRDB
import Loop

/// A page of flows, and where the next one begins.
package struct FlowPage: Hashable, Sendable {
    package var flows: [Flow]
    /// Goes back as `after`, in the same order; nil where there are no more.
    package var next: Int64?

    package init(flows: [Flow], next: Int64? = nil) {
        self.flows = flows
        self.next = next
    }
}

/// A page of a flow's messages, and where the next one begins.
package struct MessagePage: Hashable, Sendable {
    package var messages: [FlowMessage]
    /// The index of its last one, which goes back as `after`; nil where there are no more.
    package var next: Int?
}

extension FlowStore {
    /// - Parameters:
    ///   - after: the last flow of the page before, in this order.
    ///   - before: where to stop, in this order; it is not among them.
    package func flows(
        matching filter: Filter = .everything, after: Int64? = nil, before: Int64? = nil, limit: Int = 100,
        order: FlowOrder = .oldestFirst
    ) throws(StoreError) -> FlowPage {
        try read { db in
            let query = try FlowQuery(filter, Self.range(after, before, order), db, self)
            var flows: [Flow] = []
            while flows.count < limit, let flow = try query.next() { flows.append(flow) }
            return FlowPage(flows: flows, next: flows.count == limit ? flows.last?.id : nil)
        }
    }

    /// All of them, oldest first, one after the other; until `take` says that it wants no more. The store is seen as it was
    /// at the beginning.
    package func forEach(
        matching filter: Filter = .everything, order: FlowOrder = .oldestFirst, _ take: (Flow) throws -> Bool
    ) throws {
        try pool.read { db in
            let query = try FlowQuery(filter, FlowRange(order: order), db, self)
            while let flow = try query.next() { guard try take(flow) else { return } }
        }
    }

    /// The highest number of a connection that a flow has; 0 where none has one. Connections of the next recording are numbered
    /// behind it. Numbers near the end of what there is, which only an import can bring, do not count.
    package func lastConnection() throws(StoreError) -> UInt64 {
        try read { db in
            let sql = "SELECT coalesce(max(connection), 0) FROM flow WHERE connection < 1 << 52"
            return try UInt64(max(0, Int64.fetchOne(db, sql: sql) ?? 0))
        }
    }

    /// Oldest first.
    package func ids(
        matching filter: Filter = .everything, after: Int64? = nil, limit: Int = .max
    ) throws(StoreError) -> [Int64] {
        try read { db in
            let query = try FlowQuery(filter, Self.range(after, nil, .oldestFirst), db, self)
            var ids: [Int64] = []
            while ids.count < limit, let id = try query.nextID() { ids.append(id) }
            return ids
        }
    }

    package func count(matching filter: Filter = .everything) throws(StoreError) -> Int {
        try read { db in
            let narrowing = try FilterTranslation(db).narrowing(filter.root)
            if let condition = narrowing.condition {
                return try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM flow WHERE \(condition.sql)",
                    arguments: StatementArguments(condition.arguments)) ?? 0
            }
            let query = try FlowQuery(filter, FlowRange(), db, self)
            var count = 0
            while try query.nextID() != nil { count += 1 }
            return count
        }
    }

    package func flow(_ id: Int64) throws(StoreError) -> Flow? { try read { db in try FlowRow.flow(id, db) } }

    /// Those of them that there are, in the order asked.
    package func flows(_ ids: [Int64]) throws(StoreError) -> [Flow] {
        try read { db in try ids.compactMap { try FlowRow.flow($0, db) } }
    }

    /// Which of these flows match.
    package func ids(_ ids: [Int64], matching filter: Filter) throws(StoreError) -> [Int64] {
        try read { db in
            try ids.filter { id in
                guard isWanted() else { throw StoreError.calledOff }
                guard let flow = try FlowRow.flow(id, db) else { return false }
                let content = StoredContent(flow, db, tools)
                let isWanted = filter.matches(flow, content)
                if let fault = content.fault { throw fault }
                return isWanted
            }
        }
    }

    /// As kept: on the wire after the removal of framing, before content decoding. Empty where there is none.
    ///
    /// - Throws: `bodyGone` for one whose file is gone, or too short.
    package func body(of id: Int64, _ direction: ExchangeDirection) throws(StoreError) -> [UInt8] {
        try read { db in
            if let bytes = try FlowBytes.body(id, direction, files, db) { return bytes }
            throw StoreError.bodyGone(path: try place(of: id, direction, db)?.path ?? files.folder)
        }
    }

    /// The file in which a large body lies, and how many bytes of it are the body's; nil where it lies in the store.
    ///
    /// - Throws: `bodyGone` for one whose file is gone, or too short.
    package func bodyFile(of id: Int64, _ direction: ExchangeDirection) throws(StoreError) -> (path: String, size: Int)?
    {
        try read { db in try place(of: id, direction, db) }
    }

    private func place(of id: Int64, _ direction: ExchangeDirection, _ db: Database) throws -> (
        path: String, size: Int
    )? {
        guard let body = try FlowBytes.place(id, direction, db), let (name, size) = try BodyShelf.file(of: body, db)
        else { return nil }
        guard BodyFiles.isOwn(name), !files.isLink else { throw StoreError.bodyGone(path: files.folder) }
        let path = files.path(name)
        // Whoever opens it by its path would follow a link, and have said how long it is before it is found to be gone.
        guard let status = try? FileStatus(of: path, followingLinks: false), status.kind == .file, status.size >= size
        else { throw StoreError.bodyGone(path: path) }
        return (path, size)
    }

    /// All of a flow's messages, which may be more than there is memory for: `messagePage` has a bound.
    package func messages(of id: Int64) throws(StoreError) -> [FlowMessage] {
        try messagePage(of: id, limit: .max, bytes: .max).messages
    }

    /// - Parameters:
    ///   - after: the index of the last one that is known.
    ///   - bytes: of their data; a message that has more by itself is a page of its own.
    package func messagePage(of id: Int64, after: Int = -1, limit: Int, bytes: Int) throws(StoreError) -> MessagePage {
        try read { db in
            try FlowBytes.messages(id, from: after == .max ? after : after + 1, limit: limit, bytes: bytes, db)
        }
    }

    /// What could not be decoded, as it was on the wire.
    package func raw(of id: Int64, _ direction: ExchangeDirection) throws(StoreError) -> [UInt8] {
        try read { db in try FlowBytes.raw(id, direction, db) }
    }

    private static func range(_ after: Int64?, _ before: Int64?, _ order: FlowOrder) -> FlowRange {
        var range = FlowRange(order: order)
        switch order {
        case .oldestFirst:
            if let after { range.lower = after == .max ? .max : after + 1 }
            if let before { range.upper = before == .min ? .min : before - 1 }
        case .newestFirst:
            if let after { range.upper = after == .min ? .min : after - 1 }
            if let before { range.lower = before == .max ? .max : before + 1 }
        }
        return range
    }
}

/// What has changed since one looked last, and where to go on.
package struct FlowChanges: Hashable, Sendable {
    /// As they are now, in the order in which they changed last.
    package var flows: [Flow]
    package var position: Int64
    /// More has changed than was asked for.
    package var hasMore = false
}

extension FlowStore {
    /// Of the last change so far: where following begins for one who has seen everything.
    package var position: Int64 { get throws(StoreError) { try read(BatchWriter.lastChange) } }

    /// Flows that are new or have changed; a flow that has changed often is there once. Nothing is missed between two calls.
    ///
    /// Throws `removed` where another file has taken this one's place, or none: nothing would ever come.
    ///
    /// - Parameters:
    ///   - filter: which of them are handed out; whether they match is said of the moment in which they are read.
    ///   - limit: of changes that are looked at, whether they match or not.
    package func changes(
        since position: Int64, matching filter: Filter = .everything, limit: Int = 1000
    ) throws(StoreError) -> FlowChanges {
        try checkPlace()
        return try read { db in
            let sql = "SELECT id, change FROM flow WHERE change > ? ORDER BY change LIMIT ?"
            let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [position, limit])
            let flows = try rows.compactMap { row -> Flow? in
                guard let flow = try FlowRow.flow(row.value(0), db) else { return nil }
                guard !filter.isEverything else { return flow }
                let content = StoredContent(flow, db, tools)
                let isWanted = filter.matches(flow, content)
                if let fault = content.fault { throw fault }
                return isWanted ? flow : nil
            }
            return FlowChanges(
                flows: flows, position: try rows.last?.value(1) ?? position, hasMore: rows.count == limit)
        }
    }

    /// A flow with everything beside it, all as it was at one moment; nil where it is gone.
    ///
    /// - Parameter withMessages: they are there; else they are left out, as all of them may be more than there is memory for.
    /// - Returns: `gone` are bodies whose files are; they are empty.
    package func whole(_ id: Int64, withMessages: Bool = true) throws(StoreError) -> (
        flow: WholeFlow, gone: [ExchangeDirection]
    )? {
        try read { db in
            guard let flow = try FlowRow.flow(id, db) else { return nil }
            var gone: [ExchangeDirection] = []
            func body(_ direction: ExchangeDirection) throws -> [UInt8] {
                if let bytes = try FlowBytes.body(id, direction, files, db) { return bytes }
                gone.append(direction)
                return []
            }
            let whole = WholeFlow(
                flow, requestBody: try body(.up), responseBody: try body(.down),
                messages: withMessages && flow.messages > 0
                    ? try FlowBytes.messages(id, from: 0, limit: .max, db).messages : [],
                requestRaw: try FlowBytes.raw(id, .up, db), responseRaw: try FlowBytes.raw(id, .down, db))
            return (whole, gone)
        }
    }
}
