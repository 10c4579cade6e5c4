import Facts
import Flows
import Loop

/// Changes on their way to the writer's thread, as much as fits, and what did not.
///
/// Whoever floods it loses of its own (dynamic thresholds, Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2),
/// 1998). Of bytes, a connection may hold as much as is free besides: one alone has half of the room. Of heads, which are
/// what nothing may be without, it may hold as much only while others have next to none waiting, and else a quarter of what
/// is free. So where ten flood one after the other while the writer is behind, they leave a fifteenth for those that do
/// not; a half for each would leave a thousandth.
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
        /// How much of that is heads.
        fileprivate var heads = 0
        /// The same size, by who holds it.
        fileprivate var shares: [Holder: Int] = [:]

        init(changes: [FlowChange] = []) { self.changes = changes }

        var isEmpty: Bool { changes.isEmpty && lost.isEmpty }
    }

    /// Whose changes they are, heads apart from bytes.
    ///
    /// Who has many bytes waiting loses no head for it.
    struct Holder: Hashable {
        enum Owner: Hashable {
            case connection(UInt64)
            /// Of one that has none, or is not open, or not known.
            case flow(Int64)
        }

        var owner: Owner
        var isOfBytes = false
    }

    /// Beyond this, bytes of bodies are left out: a disk that stands still for a second under 400 Mbit/s of many connections
    /// is bridged, and under 200 of one alone, which has half.
    static let bodyLimit = 48 << 20
    /// Beyond this, whole changes are: what remains in between is for heads, some ten thousand of them.
    static let limit = 64 << 20
    /// How much less room bytes have for each byte of heads: 12 MiB of heads, and no more bytes are taken.
    static let yielding = 3
    /// One connection's heads may hold this part of what is free, beside others: some twenty thousand of them.
    static let headShare = 4
    /// Others' heads that are next to none.
    private static let nextToNone = 1 << 20
    /// The writer is woken early: what has come is worth a transaction. It is as much as one takes, too: whoever is behind
    /// and is killed has lost what waits, and not what it was in the middle of for seconds.
    static let worthWriting = 4 << 20
    /// The same for this store: one that may be small takes small ones, for its log holds a whole transaction.
    let batchSize: Int
    /// Whoever holds less is in nobody's way.
    private static let small = 4 << 10
    /// Bytes of a body of which it pays to know whether they are there already.
    private static let worthComparing = 4 << 10
    /// Of the fields of a flow, beside its texts; a guess on the high side.
    private static let flowSize = 512
    /// Of a message, beside its data: its place in the list and an array's header.
    private static let messageSize = 160

    /// The oldest first; what comes is added to the last one. Some sixteen at most.
    private var batches: [Batch] = []
    private(set) var size = 0
    private var heads = 0
    private(set) var dropped = DroppedCount()
    /// Of all that waits, by who holds it; nobody holds nothing.
    private var shares: [Holder: Int] = [:]
    /// Flows that were counted: one that loses a change in each batch is one.
    private var lost: Set<Int64> = []
    /// The connections of flows that are open, and of those that are being added.
    private var connections: [Int64: UInt64] = [:]
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
        // Bytes may come before the flow whose they are.
        for case .flow(let flow) in changes { connections[flow.id] = flow.connection }
        for change in changes { add(change, of: owner(of: change)) }
        for case .flow(let flow) in changes where flow.state != .open { connections[flow.id] = nil }
        return wasEmpty || before < batchSize && size >= batchSize
    }

    private mutating func add(_ change: FlowChange, of owner: Holder.Owner) {
        let (head, bytes) = (Holder(owner: owner), Holder(owner: owner, isOfBytes: true))
        switch change {
        case .flow(let flow):
            let cost = Self.cost(flow)
            guard hasRoom(cost, of: head) else {
                lose(flow.id)
                return
            }
            keep(change, cost, of: head)
        case .body(let id, _, let content):
            let place = Self.place(content)
            // What comes again and again may be there once, and is counted once.
            let isThere =
                place.map { hasRoomInLast(for: id) && batches[batches.count - 1].places.contains($0) } ?? false
            let cost = isThere ? Self.messageSize : content.count
            // Of a body, the flow says it in the end: less lies in the store than was to be kept.
            guard hasRoom(cost, of: bytes) else {
                dropped.bytes += content.count
                return
            }
            keep(change, cost, of: bytes)
            if let place { batches[batches.count - 1].places.insert(place) }
        case .raw(_, _, let content):
            if hasRoom(content.count, of: bytes) {
                keep(change, content.count, of: bytes)
            } else {
                dropped.bytes += content.count
            }
        case .message(let id, var message):
            let size = Self.messageSize + (message.message.name?.utf8.count ?? 0)
            let cost = message.message.data.count + size
            if hasRoom(cost, of: bytes) {
                keep(change, cost, of: bytes)
            } else if hasRoom(size, of: head) {
                dropped.messages += 1
                message.message.data = []
                message.message.isCut = true
                keep(.message(flow: id, message), size, of: head)
            } else {
                dropped.messages += 1
                lose(id)
            }
        }
    }

    private func hasRoom(_ cost: Int, of holder: Holder) -> Bool {
        // Bytes give way where heads pile up: the writer has the sooner done with those.
        let limit = holder.isOfBytes ? Self.bodyLimit - Self.yielding * heads : Self.limit
        let free = limit - size - cost
        let held = shares[holder, default: 0]
        let part = holder.isOfBytes || heads - held <= Self.nextToNone ? free : free / Self.headShare
        return free >= 0 && held + cost <= part + Self.small
    }

    private func owner(of change: FlowChange) -> Holder.Owner {
        let flow = Self.flow(of: change)
        return connections[flow].map { .connection($0) } ?? .flow(flow)
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
        if lost.count >= Self.most { lost.removeAll() }
        if lost.insert(flow).inserted { dropped.flows += 1 }
        if batches[last].lost.count < Self.most { batches[last].lost.insert(flow) }
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

    private mutating func keep(_ change: FlowChange, _ cost: Int, of holder: Holder) {
        if !hasRoomInLast(for: Self.flow(of: change)) { begin() }
        let last = batches.count - 1
        batches[last].changes.append(change)
        batches[last].size += cost
        size += cost
        if !holder.isOfBytes {
            batches[last].heads += cost
            heads += cost
        }
        batches[last].shares[holder, default: 0] += cost
        shares[holder, default: 0] += cost
    }

    private mutating func begin() {
        batches.append(Batch())
        begun += 1
    }

    private static func cost(_ flow: Flow) -> Int {
        var cost = flowSize + (flow.url?.utf8.count ?? 0) + flow.tags.reduce(0) { $0 + $1.utf8.count }
        func add(_ fields: [HeaderField]) {
            for field in fields { cost += field.name.utf8.count + field.value.utf8.count + 32 }
        }
        for side in [flow.request, flow.response].compactMap({ $0 }) {
            add(side.headers)
            add(side.trailers)
            for interim in side.informational { add(interim.headers) }
        }
        return cost
    }

    /// The oldest one; an empty one where nothing waits.
    mutating func take() -> Batch {
        guard !batches.isEmpty else { return Batch() }
        let batch = batches.removeFirst()
        size -= batch.size
        heads -= batch.heads
        for (holder, share) in batch.shares {
            let rest = shares[holder, default: 0] - share
            shares[holder] = rest > 0 ? rest : nil
        }
        taken += 1
        return batch
    }

    /// A batch that could not be written stays the first one.
    mutating func putBack(_ batch: Batch) {
        batches.insert(batch, at: 0)
        taken -= 1
        size += batch.size
        heads += batch.heads
        for (holder, share) in batch.shares { shares[holder, default: 0] += share }
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
        heads = 0
        shares = [:]
        connections = [:]
        taken = begun
        size = 0
    }

    mutating func dropped(_ more: DroppedCount) {
        dropped.bytes += more.bytes
        dropped.messages += more.messages
        dropped.flows += more.flows
    }
}
