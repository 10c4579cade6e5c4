import Facts
import Flows
import Loop

/// Changes on their way to the writer's thread, as much as fits, and what did not.
struct ChangeQueue {
    /// What the writer takes at once.
    struct Batch {
        var changes: [FlowChange] = []
        /// Flows of which a change is missing: what is kept of them is no longer what they were.
        var lost: Set<Int64> = []
        /// Of the changes, in bytes.
        fileprivate(set) var size = 0
        /// Where the bytes of its bodies lie in memory; it keeps them, so that nothing else can lie there.
        fileprivate var places: Set<MemoryPlace> = []

        init(changes: [FlowChange] = []) { self.changes = changes }

        var isEmpty: Bool { changes.isEmpty && lost.isEmpty }
    }

    /// Beyond this, bytes of bodies are left out: a disk that stands still for a second under 400 Mbit/s is bridged.
    static let bodyLimit = 48 << 20
    /// Beyond this, whole changes are: what remains in between is for heads, some ten thousand of them.
    static let limit = 64 << 20
    /// The writer is woken early: what has come is worth a transaction. It is as much as one takes, too: whoever is behind
    /// and is killed has lost what waits, and not what it was in the middle of for seconds.
    static let worthWriting = 4 << 20
    /// The same for this store: one that may be small takes small ones, for its log holds a whole transaction.
    let batchSize: Int
    /// Bytes of a body of which it pays to know whether they are there already.
    private static let worthComparing = 4 << 10
    /// Of the fields of a flow, beside its texts; a guess on the high side.
    private static let flowSize = 512
    /// Of a message, beside its data: its place in the list and an array's header.
    private static let messageSize = 160

    /// The oldest first; what comes is added to the last one. Some sixteen at most.
    private var batches: [Batch] = []
    private(set) var size = 0
    private(set) var dropped = DroppedCount()
    /// Batches so far: those that were begun, and those of them that nobody waits for any more.
    private(set) var begun = 0
    private(set) var taken = 0

    init(batchSize: Int = worthWriting) { self.batchSize = batchSize }

    /// For a store of this size.
    init(_ limits: StoreLimits) { self.init(batchSize: max(256 << 10, min(Self.worthWriting, limits.bytes / 16))) }

    var isEmpty: Bool { batches.isEmpty }

    /// Takes what fits; whether the writer is to be woken.
    mutating func add(_ changes: [FlowChange]) -> Bool {
        let before = size
        let wasEmpty = isEmpty
        for change in changes { add(change) }
        return wasEmpty || before < batchSize && size >= batchSize
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
        case .body(let id, _, let bytes):
            let place = Self.place(bytes)
            // What comes again and again may be there once, and is counted once.
            let isThere =
                place.map { hasRoomInLast(for: id) && batches[batches.count - 1].places.contains($0) } ?? false
            let cost = isThere ? Self.messageSize : bytes.count
            // Of a body, the flow says it in the end: less lies in the store than was to be kept.
            guard size + cost <= Self.bodyLimit else {
                dropped.bytes += bytes.count
                return
            }
            keep(change, cost)
            if let place { batches[batches.count - 1].places.insert(place) }
        case .raw(_, _, let bytes):
            if size + bytes.count <= Self.bodyLimit { keep(change, bytes.count) } else { dropped.bytes += bytes.count }
        case .message(let id, var message):
            let bytes = message.message.data.count
            if size + bytes <= Self.bodyLimit {
                keep(change, bytes + Self.messageSize)
            } else if size + Self.messageSize <= Self.limit {
                dropped.messages += 1
                message.message.data = []
                message.message.isCut = true
                keep(.message(flow: id, message), Self.messageSize)
            } else {
                lose(id)
            }
        }
    }

    /// Of bytes that are worth it.
    private static func place(_ bytes: [UInt8]) -> MemoryPlace? {
        bytes.count < worthComparing ? nil : MemoryPlace(of: bytes)
    }

    /// Of flows that are lost; beyond it they are only counted. 100,000 take some MiB.
    private static let most = 100_000

    private mutating func lose(_ flow: Int64) {
        if batches.isEmpty { begin() }
        let last = batches.count - 1
        guard batches[last].lost.count < Self.most else {
            dropped.flows += 1
            return
        }
        if batches[last].lost.insert(flow).inserted { dropped.flows += 1 }
    }

    /// Whether a change of this flow belongs to the last batch. A flow comes behind its bytes: in another batch than they,
    /// they would be nobody's, and left out.
    private func hasRoomInLast(for flow: Int64) -> Bool {
        guard let batch = batches.last else { return false }
        return batch.size < batchSize || batch.changes.last.map { Self.flow(of: $0) == flow } ?? true
    }

    private static func flow(of change: FlowChange) -> Int64 {
        switch change {
        case .flow(let flow): flow.id
        case .body(let id, _, _), .raw(let id, _, _), .message(let id, _): id
        }
    }

    private mutating func keep(_ change: FlowChange, _ cost: Int) {
        if !hasRoomInLast(for: Self.flow(of: change)) { begin() }
        let last = batches.count - 1
        batches[last].changes.append(change)
        batches[last].size += cost
        size += cost
    }

    private mutating func begin() {
        batches.append(Batch())
        begun += 1
    }

    private static func cost(_ flow: Flow) -> Int {
        var cost = flowSize + (flow.url?.utf8.count ?? 0)
        for side in [flow.request, flow.response] {
            for field in side?.headers ?? [] { cost += field.name.utf8.count + field.value.utf8.count + 32 }
        }
        return cost
    }

    /// The oldest one; an empty one where nothing waits.
    mutating func take() -> Batch {
        guard !batches.isEmpty else { return Batch() }
        let batch = batches.removeFirst()
        size -= batch.size
        taken += 1
        return batch
    }

    /// A batch that could not be written stays the first one.
    mutating func putBack(_ batch: Batch) {
        batches.insert(batch, at: 0)
        taken -= 1
        size += batch.size
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

    /// The same of all that wait.
    mutating func refuseAll() {
        for batch in batches { refuse(batch.changes) }
        batches = []
        taken = begun
        size = 0
    }

    mutating func dropped(_ more: DroppedCount) {
        dropped.bytes += more.bytes
        dropped.messages += more.messages
        dropped.flows += more.flows
    }
}
