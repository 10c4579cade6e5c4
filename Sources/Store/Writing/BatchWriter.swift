import Facts
import Flows
import Foundation
import GRDB

/// Writes batches of changes.
///
/// Of the flows that are still open it remembers what lies in the store. Lives on the writer's thread. A transaction that fails leaves the file as it was; `reload` then forgets everything.
final class BatchWriter {
    /// A flow of which more is to come.
    struct OpenFlow {
        var up = BodyShelf.Place()
        var down = BodyShelf.Place()
        var raw = 0
        /// Somebody else has cleared it: the rest of it is not wanted.
        var isCleared = false

        subscript(direction: ExchangeDirection) -> BodyShelf.Place {
            get { direction == .up ? up : down }
            set { if direction == .up { up = newValue } else { down = newValue } }
        }
    }

    var open: [Int64: OpenFlow] = [:]
    private var words = WordBook()
    private var encoder = FlowEncoder()
    var bodies: BodyShelf
    var change: Int64 = 0
    /// The highest number that any flow had: one beyond it is new.
    private var used: Int64 = 0
    /// The same, before the batch at hand: in one batch a flow is one group.
    private var usedBefore: Int64 = 0
    /// Flows of which something could not be kept: whoever tells of them again does not know it. Beyond that many they are
    /// forgotten, which takes some MiB.
    private var incomplete: Set<Int64> = []
    private static let mostIncomplete = 100_000
    private let sha256: (@Sendable ([UInt8]) -> [UInt8])?

    /// - Parameter checking: what hashes are compared with, where they come from somebody else.
    init(_ bodies: BodyShelf, checking sha256: (@Sendable ([UInt8]) -> [UInt8])? = nil) {
        self.bodies = bodies
        self.sha256 = sha256
    }

    /// Of the batch at hand: bytes and messages of flows that are not there, and bytes of bodies that had no descriptor.
    private(set) var strays = DroppedCount()
    private var ended: (first: Int64?, count: Int) = (nil, 0)

    /// - Returns: the first of the flows that have ended, and how many there are.
    func write(_ batch: ChangeQueue.Batch, _ db: Database) throws -> (first: Int64?, count: Int) {
        bodies.forget()
        strays = DroppedCount()
        ended = (nil, 0)
        change = try Self.lastChange(db)
        used = max(used, try Int64.fetchOne(db.cachedStatement(sql: "SELECT used FROM ids")) ?? 0)
        usedBefore = used
        let groups = FlowGroup.groups(batch.changes)
        for (id, group) in groups { try write(id, group, db) }
        for id in batch.lost {
            if incomplete.count >= Self.mostIncomplete { incomplete.removeAll() }
            incomplete.insert(id)
            if open[id] != nil { try end(id, tag: Self.incompleteTag, db) }
        }
        strays.bytes += bodies.leftOut
        try bodies.finish(db)
        try db.cachedStatement(sql: "UPDATE ids SET used = max(used, ?), change = ?").execute(arguments: [used, change])
        return ended
    }

    /// After a transaction that was undone.
    func reload(_ db: Database) throws {
        words.forget()
        bodies.forget()
        for id in open.keys { open[id] = try Self.load(id, db) ?? OpenFlow(isCleared: true) }
    }

    static func lastChange(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT change FROM ids")) ?? 0
    }

    /// Written with everything that counts changes: one that was given out is never given again.
    static func save(change: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE ids SET change = ?").execute(arguments: [change])
    }

    private func write(_ id: Int64, _ group: FlowGroup, _ db: Database) throws {
        let wasOpen = open[id] != nil
        var isNew = false
        var state = OpenFlow()
        if let known = open[id] {
            state = try Self.exists(id, db) ? known : OpenFlow(isCleared: true)
        } else if id <= usedBefore || group.flow == nil, let known = try Self.load(id, db) {
            // One that had ended changes once more.
            state = known
        } else if group.flow == nil {
            // Its beginning was left out.
            leaveOut(group)
            return
        } else {
            isNew = true
        }
        if state.isCleared {
            open[id] = group.flow.map { $0.state == .open } ?? true ? state : nil
            return
        }
        let stays = group.flow.map { $0.state == .open } ?? wasOpen
        try writeBodies(of: group, id, &state, isFinal: !stays, db)
        if let flow = group.flow {
            let flow = flow.state == .open ? flow : corrected(flow, state)
            if isNew { try insert(flow, state, db) } else { try update(flow, state, db) }
        } else {
            try update(id, bodiesOf: state, db)
        }
        try writeMessages(id, group.messages, db)
        try writeRaw(id, group.raw, &state, db)
        used = max(used, id)
        open[id] = stays ? state : nil
        if !stays { ended = (min(ended.first ?? id, id), ended.count + 1) }
    }

    private func leaveOut(_ group: FlowGroup) {
        strays.bytes += group.up.count + group.down.count + group.raw.reduce(0) { $0 + $1.bytes.count }
        strays.messages += group.messages.count
    }

    // MARK: Bodies

    private func writeBodies(
        of group: FlowGroup, _ id: Int64, _ state: inout OpenFlow, isFinal: Bool, _ db: Database
    ) throws {
        for direction in ExchangeDirection.allCases {
            let bytes = group.bytes(direction)
            let body = group.flow?.side(direction)?.body
            guard !bytes.isEmpty || body?.sha256 != nil && state[direction].body != nil else { continue }
            let isAll = body.map { $0.kept == state[direction].stored + bytes.count } ?? false
            let isHashed = isAll && body?.shed == 0
            var hash = isHashed ? body?.sha256.flatMap([UInt8].init(hex:)) : nil
            if let sha256, let claimed = hash {
                // Of a body that was cut, the hash is of bytes that are not there: nobody can check it.
                let isTrue = body?.kept == body?.size && state[direction].body == nil && sha256(bytes) == claimed
                if !isTrue { hash = nil }
            }
            let name = BodyFiles.name(id, direction)
            if state[direction].body == nil, hash != nil || isFinal {
                try bodies.put(bytes, sha256: hash, to: &state[direction], name: name, db)
            } else {
                try bodies.append(bytes, to: &state[direction], name: name, db)
                // Of what came just now, nothing may have been kept.
                guard let hash, state[direction].stored == body?.kept else { continue }
                try bodies.settle(&state[direction], sha256: hash, db)
            }
        }
    }

    /// In the end a flow says of its bodies what is there.
    func corrected(_ flow: Flow, _ state: OpenFlow) -> Flow {
        let isRight = ExchangeDirection.allCases.allSatisfy { direction in
            flow.side(direction)?.body.map { state[direction].stored >= $0.kept } ?? true
        }
        // A copy costs as much as writing the row.
        if isRight { return flow }
        var flow = flow
        flow.request?.body?.correct(stored: state.up.stored)
        flow.response?.body?.correct(stored: state.down.stored)
        return flow
    }

    // MARK: Rows

    private static let insertion = """
        INSERT INTO flow (id, change, request_body, response_body, \(FlowColumns.list))
        VALUES (?, ?, ?, ?, \(FlowColumns.marks))
        """
    private static let replacement = """
        UPDATE flow SET change = ?, indexed = CASE indexed WHEN 0 THEN 0 ELSE 2 END, request_body = ?,
        response_body = ?, \(FlowColumns.assignments) WHERE id = ?
        """

    private func insert(_ flow: Flow, _ state: OpenFlow, _ db: Database) throws {
        change += 1
        var values = [
            flow.id.databaseValue, change.databaseValue, Self.value(state.up.body), Self.value(state.down.body),
        ]
        values += try flow.columns { try words.number($0, $1, db) }
        try db.cachedStatement(sql: Self.insertion).execute(arguments: Self.arguments(values))
        try db.cachedStatement(sql: "INSERT INTO doc (id, json) VALUES (?, ?)")
            .execute(arguments: [flow.id, Data(encoder.json(flow))])
        try tag(flow, db)
    }

    func update(_ flow: Flow, _ state: OpenFlow, _ db: Database) throws {
        var flow = flow
        if incomplete.contains(flow.id), !flow.tags.contains(Self.incompleteTag) {
            flow.tags.append(Self.incompleteTag)
        }
        if flow.mark == nil, flow.comment == nil, let remarks = try Self.remarks(flow.id, db) {
            (flow.mark, flow.comment) = remarks
        }
        change += 1
        var values = [change.databaseValue, Self.value(state.up.body), Self.value(state.down.body)]
        values += try flow.columns { try words.number($0, $1, db) }
        values.append(flow.id.databaseValue)
        try db.cachedStatement(sql: Self.replacement).execute(arguments: Self.arguments(values))
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO doc (id, json) VALUES (?, ?)")
            .execute(arguments: [flow.id, Data(encoder.json(flow))])
        try tag(flow, db)
    }

    private static func value(_ number: Int64?) -> DatabaseValue { number?.databaseValue ?? .null }

    /// As values of any type: for those of one, GRDB makes a key path for each of them.
    private static func arguments(_ values: [DatabaseValue]) -> StatementArguments {
        StatementArguments(values.map { $0 as (any DatabaseValueConvertible)? })
    }

    /// More bytes or messages, and nothing else that is new.
    private func update(_ id: Int64, bodiesOf state: OpenFlow, _ db: Database) throws {
        change += 1
        let sql = """
            UPDATE flow SET change = ?, indexed = CASE indexed WHEN 0 THEN 0 ELSE 2 END, request_body = ?,
            response_body = ? WHERE id = ?
            """
        try db.cachedStatement(sql: sql).execute(arguments: [change, state.up.body, state.down.body, id])
    }

    private func tag(_ flow: Flow, _ db: Database) throws {
        guard !flow.tags.isEmpty else { return }
        let insert = try db.cachedStatement(sql: "INSERT OR IGNORE INTO tag (word, flow) VALUES (?, ?)")
        for tag in flow.tags { try insert.execute(arguments: [try words.number(.tag, tag, db), flow.id]) }
    }

    private func writeMessages(_ id: Int64, _ messages: [FlowMessage], _ db: Database) throws {
        guard !messages.isEmpty else { return }
        let sql = """
            INSERT OR REPLACE INTO message (flow, n, at, up, kind, size, cut, data, name)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        let insert = try db.cachedStatement(sql: sql)
        for message in messages {
            let content = message.message
            try insert.execute(arguments: [
                id, message.index, message.atMS, content.from == .up, content.kind.rawValue, content.size,
                content.isCut, Data(content.data), content.name,
            ])
        }
    }

    private func writeRaw(
        _ id: Int64, _ raw: [(direction: ExchangeDirection, bytes: [UInt8])], _ state: inout OpenFlow, _ db: Database
    ) throws {
        guard !raw.isEmpty else { return }
        let insert = try db.cachedStatement(sql: "INSERT INTO raw (flow, up, n, bytes) VALUES (?, ?, ?, ?)")
        for (direction, bytes) in raw {
            for start in stride(from: 0, to: bytes.count, by: BodyShelf.pieceSize) {
                let piece = Data(bytes[start..<min(bytes.count, start + BodyShelf.pieceSize)])
                try insert.execute(arguments: [id, direction == .up, state.raw, piece])
                state.raw += 1
            }
        }
    }
}

extension FlowBody {
    /// Less lies in the store than was to be kept: what is missing was shed.
    fileprivate mutating func correct(stored: Int) {
        guard stored < kept else { return }
        shed += kept - stored
        kept = stored
        sha256 = nil
    }
}
