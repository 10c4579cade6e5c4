import Filters
import Flows
import Foundation
import GRDB

/// In which order flows are wanted: by their numbers, which grow with time.
package enum FlowOrder: Hashable, Sendable { case oldestFirst, newestFirst }

/// Flows that match a filter, in their order, read as they are asked for.
///
/// Lives within one read.
struct FlowQuery {
    private let filter: Filter
    private let db: Database
    private let tools: StoreTools
    private let stream: any CandidateStream
    private let isWanted: @Sendable () -> Bool
    /// The candidates are the answer.
    let isExact: Bool

    init(_ filter: Filter, _ range: FlowRange, _ db: Database, _ store: FlowStore) throws {
        self.filter = filter
        self.db = db
        tools = store.tools
        isWanted = store.isWanted
        let narrowing = try FilterTranslation(db).narrowing(filter.root)
        isExact = narrowing.isExact
        let streams: [any CandidateStream] = try narrowing.branches.map { branch in
            // A handful of flows is looked at sooner than a common word is found in the index.
            let isRare = try ColumnStream.isRare(branch.conditions, db)
            if branch.letters.isEmpty || isRare { return try ColumnStream.stream(branch.conditions, range, db) }
            return try TextStream(branch, range, db)
        }
        stream = streams.count == 1 ? streams[0] : try MergedStream(streams, range)
    }

    func next() throws -> Flow? {
        while let id = try stream.next() { if let flow = try matching(id) { return flow } }
        return nil
    }

    func nextID() throws -> Int64? {
        while let id = try stream.next() { if try isExact || matching(id) != nil { return id } }
        return nil
    }

    /// nil where it does not match, or is gone and only the index still knows of it.
    private func matching(_ id: Int64) throws -> Flow? {
        guard isExact || isWanted() else { throw StoreError.calledOff }
        guard let flow = try FlowRow.flow(id, db) else { return nil }
        if isExact { return flow }
        let content = StoredContent(flow, db, tools)
        let isWanted = filter.matches(flow, content)
        if let fault = content.fault { throw fault }
        return isWanted ? flow : nil
    }
}
