import Facts
import Flows

/// Changes on their way to the writer's thread, as much as fits, and what did not.
struct ChangeQueue {
    /// What the writer takes at once.
    struct Batch {
        var changes: [FlowChange] = []
        /// Flows of which a change is missing: what is kept of them is no longer what they were.
        var lost: Set<Int64> = []

        var isEmpty: Bool { changes.isEmpty && lost.isEmpty }
    }

    /// Beyond this, bytes of bodies are left out: a disk that stands still for a second under 400 Mbit/s is bridged.
    static let bodyLimit = 48 << 20
    /// Beyond this, whole changes are: what remains in between is for heads, some ten thousand of them.
    static let limit = 64 << 20
    /// The writer is woken early: what has come is worth a transaction.
    static let worthWriting = 4 << 20
    /// Of the fields of a flow, beside its texts; a guess on the high side.
    private static let flowSize = 512

    private(set) var batch = Batch()
    private(set) var size = 0
    private(set) var dropped = DroppedCount()

    /// Takes what fits; whether the writer is to be woken.
    mutating func add(_ changes: [FlowChange]) -> Bool {
        let before = size
        let wasEmpty = batch.isEmpty
        for change in changes { add(change) }
        return wasEmpty || before < Self.worthWriting && size >= Self.worthWriting
    }

    private mutating func add(_ change: FlowChange) {
        switch change {
        case .flow(let flow):
            let cost = Self.cost(flow)
            guard size + cost <= Self.limit else {
                lose(flow.id)
                return
            }
            keep(change, cost)
        case .body(_, _, let bytes), .raw(_, _, let bytes):
            // Of a body, the flow says it in the end: less lies in the store than was to be kept.
            if size + bytes.count <= Self.bodyLimit { keep(change, bytes.count) } else { dropped.bytes += bytes.count }
        case .message(let id, var message):
            let bytes = message.message.data.count
            if size + bytes <= Self.bodyLimit {
                keep(change, bytes + 64)
            } else if size + 64 <= Self.limit {
                dropped.messages += 1
                message.message.data = []
                message.message.isCut = true
                keep(.message(flow: id, message), 64)
            } else {
                lose(id)
            }
        }
    }

    /// Of flows that are lost; beyond it they are only counted. 100,000 take some MiB.
    private static let most = 100_000

    private mutating func lose(_ flow: Int64) {
        guard batch.lost.count < Self.most else {
            dropped.flows += 1
            return
        }
        if batch.lost.insert(flow).inserted { dropped.flows += 1 }
    }

    private mutating func keep(_ change: FlowChange, _ cost: Int) {
        batch.changes.append(change)
        size += cost
    }

    private static func cost(_ flow: Flow) -> Int {
        var cost = flowSize + (flow.url?.utf8.count ?? 0)
        for side in [flow.request, flow.response] {
            for field in side?.headers ?? [] { cost += field.name.utf8.count + field.value.utf8.count + 32 }
        }
        return cost
    }

    mutating func take() -> Batch {
        defer {
            batch = Batch()
            size = 0
        }
        return batch
    }

    /// A batch that could not be written stays the first one; what has come since is behind it.
    mutating func putBack(_ earlier: Batch) {
        var joined = earlier
        joined.changes += batch.changes
        joined.lost.formUnion(batch.lost)
        batch = joined
        size = joined.changes.reduce(0) { $0 + Self.cost($1) }
    }

    private static func cost(_ change: FlowChange) -> Int {
        switch change {
        case .flow(let flow): cost(flow)
        case .body(_, _, let bytes), .raw(_, _, let bytes): bytes.count
        case .message(_, let message): message.message.data.count + 64
        }
    }

    /// Of changes that nobody takes any more.
    mutating func refuse(_ changes: [FlowChange]) {
        for change in changes {
            switch change {
            case .flow(let flow): if flow.state != .open { dropped.flows += 1 }
            case .body(_, _, let bytes), .raw(_, _, let bytes): dropped.bytes += bytes.count
            case .message: dropped.messages += 1
            }
        }
    }

    mutating func dropped(_ more: DroppedCount) {
        dropped.bytes += more.bytes
        dropped.messages += more.messages
        dropped.flows += more.flows
    }
}
