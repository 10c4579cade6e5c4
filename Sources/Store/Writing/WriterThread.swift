import Flows
import GRDB
import Loop

/// What the writer's thread does.
///
/// Batches first; then, while nothing comes, the index and the limits.
struct WriterThread {
    /// How often it is looked, while nothing comes, whether an import has taken numbers.
    private static let pauseSeconds = 0.25
    /// How often the limits are looked at then; flows grow old by days.
    private static let pruningPauseSeconds = 60.0
    /// In a batch: so busy that the index waits, up to the next quiet moment, for what the relay needs more.
    private static let busy = 200
    /// The same in bytes: few flows may have large bodies, and come as fast.
    private static let busyBytes = 1 << 20
    /// Seconds that are busy after such a batch: the next one may be small by chance.
    private static let busySeconds = 0.5
    /// Behind schedule by so many flows, the index does not wait any longer: they would be looked through one by one, and
    /// take some ten seconds to catch up with.
    private static let patience = 100_000
    /// In the queue: what has come since the last batch is so much that the index waits all the same. A search that looks
    /// through flows is slower, and bytes that find no room are gone.
    private static let pressing = ChangeQueue.worthWriting

    /// Before the next batch is looked after.
    private static let pruningSeconds = 0.5

    let store: FlowStore
    let state: Locked<FlowWriter.State>
    let ids: FlowIDs
    let onFault: @Sendable (StoreError) -> Void
    let gate: @Sendable () -> Void
    var pruner: Pruner
    var indexer: TextIndexer

    private let batches: BatchWriter
    /// There may be something to index.
    private var isBehind = true
    private var unindexed = 0
    /// Bytes of the last batch.
    private var written = 0
    private var ebb = WriterEbb()
    private var wait = DescriptorWait()
    private var busyUntil = 0.0
    private var mustPrune = true
    private var pruningDue = 0.0
    /// Rung by nobody.
    private let rest = Alarm()
    private var rested = MonotonicClock.now

    init(
        store: FlowStore, state: Locked<FlowWriter.State>, ids: FlowIDs,
        onFault: @escaping @Sendable (StoreError) -> Void, gate: @escaping @Sendable () -> Void, pruner: Pruner,
        indexer: TextIndexer
    ) {
        self.store = store
        self.state = state
        self.ids = ids
        self.onFault = onFault
        self.gate = gate
        self.pruner = pruner
        self.indexer = indexer
        let overflow = BodyShelf.Overflow(files: store.files, largest: pruner.limits.body)
        batches = BatchWriter(BodyShelf(store.files, overflow: overflow))
    }

    mutating func run(_ alarm: Alarm) {
        while true {
            let (isEmpty, isHurried, isClosing) = state.withLock { state in
                (
                    state.queue.isEmpty,
                    state.isClosing || !state.waiting.isEmpty || !state.settling.isEmpty
                        || state.queue.size >= state.queue.batchSize, state.isClosing
                )
            }
            if isEmpty {
                let isIdle = !isBehind && !mustPrune && !isHurried
                if ebb.isOver(isIdle: isIdle, at: MonotonicClock.now) { Heap.giveBack() }
                if isIdle { alarm.sleep(seconds: Self.pauseSeconds) }
            }
            let mayCollect = !isEmpty && !isHurried
            if mayCollect {
                alarm.sleep(seconds: FlowWriter.collectingSeconds)
            } else if !isClosing {
                giveWay()
            }
            let flows = writeBatch()
            if state.withLock({ $0.fault != nil }) || isClosing, flows == nil { break }
            if isClosing { continue }
            let now = MonotonicClock.now
            if isEmpty, !isBehind, now >= pruningDue {
                mustPrune = true
                pruningDue = now + Self.pruningPauseSeconds
            }
            if (flows ?? 0) >= Self.busy || written >= Self.busyBytes { busyUntil = now + Self.busySeconds }
            maintain(isBusy: now < busyUntil, alarm)
        }
        finish()
    }

    /// Whoever clears or imports has the file in between: SQLite's others do not queue, they look again now and then.
    private mutating func giveWay() {
        rest.sleep(seconds: min(0.1, max(0.005, (MonotonicClock.now - rested) / 10)))
        rested = MonotonicClock.now
    }

    /// - Returns: how many changes were written; nil where there was nothing.
    private mutating func writeBatch() -> Int? {
        let batch = state.withLock { $0.queue.take() }
        written = batch.size
        if !batch.isEmpty { ebb.wrote(batch.size, at: MonotonicClock.now) }
        defer { serve() }
        guard !batch.isEmpty else { return nil }
        gate()
        do {
            try store.checkPlace()
            let ended = try store.pool.write { db in try batches.write(batch, db) }
            wait.succeeded()
            if let first = ended.first {
                indexer.comeBack(to: first)
                isBehind = true
                unindexed += ended.count
            }
            mustPrune = true
            let strays = batches.strays
            if !strays.isEmpty { state.withLock { $0.queue.dropped(strays) } }
            return batch.changes.count
        } catch {
            fail(error, batch)
            return 0
        }
    }

    /// Wakes those who wait for what is written now. Not only once the queue is empty: under load it may never be. What was put
    /// back counts as taken no longer.
    private func serve() {
        let served = state.withLock { state in
            let taken = state.queue.taken
            defer { state.waiting.removeAll { $0.batches <= taken } }
            return state.waiting.filter { $0.batches <= taken }.map(\.alarm)
        }
        for alarm in served { alarm.ring() }
    }

    /// Has numbers for what comes, behind those that an import has taken meanwhile.
    private func reserve() throws {
        try store.checkPlace()
        let isOvertaken = try store.pool.read { db in try ids.isOvertaken(db) }
        guard isOvertaken || ids.mustReserve else { return }
        ids.add(try store.pool.write { db in try ids.reserve(db) }, isNext: isOvertaken)
    }

    private func mayIndex(_ isBusy: Bool) -> Bool {
        state.withLock { state in
            (!isBusy || unindexed > Self.patience || !state.settling.isEmpty) && state.queue.size < Self.pressing
        }
    }

    private mutating func maintain(isBusy: Bool, _ alarm: Alarm) {
        do {
            try reserve()
            if isBehind, mayIndex(isBusy) {
                isBehind = try store.pool.write { db in try indexer.step(db) }
                if !isBehind {
                    unindexed = 0
                    ebb.indexed()
                }
                // The index takes room as well.
                mustPrune = true
            }
            // What has come may be more than one bite is.
            let end = MonotonicClock.now + Self.pruningSeconds
            while mustPrune, MonotonicClock.now < end {
                mustPrune = try store.pool.writeWithoutTransaction { db in try pruner.step(db) }
            }
            wait.succeeded()
        } catch {
            fail(error, nil)
        }
        guard !isBehind, !mustPrune else { return }
        let settling = state.withLock { state in
            defer { if state.queue.isEmpty { state.settling = [] } }
            return state.queue.isEmpty ? state.settling : []
        }
        for alarm in settling { alarm.ring() }
    }

    /// Somebody else who holds the file for long lets go of it some time, and so do those that hold all descriptors; everything
    /// else is the end of recording.
    private mutating func fail(_ error: any Error, _ batch: ChangeQueue.Batch?) {
        if isPassing(error) {
            if let batch { state.withLock { $0.queue.putBack(batch) } }
            undo()
            return
        }
        // Of a file that is gone SQLite says much, and not that.
        let isGone = (try? store.checkPlace()) == nil
        let fault = isGone ? StoreError.removed(path: store.path) : StoreError(error, path: store.path)
        let isFirst = state.withLock { state in
            if let batch { state.queue.refuse(batch.changes) }
            state.queue.refuseAll()
            guard state.fault == nil else { return false }
            state.fault = fault
            return true
        }
        isBehind = false
        mustPrune = false
        // What was undone holds room in the log, which whoever clears will need.
        if case .full = fault { try? store.pool.writeWithoutTransaction(FlowStore.emptyLog) }
        if isFirst { onFault(fault) }
    }

    private mutating func isPassing(_ error: any Error) -> Bool {
        if let error = error as? DatabaseError, error.resultCode == .SQLITE_BUSY { return true }
        let isClosing = state.withLock { $0.isClosing }
        guard wait.isWorthwhile(after: error, isClosing: isClosing, at: MonotonicClock.now) else { return false }
        rest.sleep(seconds: DescriptorWait.pause)
        return true
    }

    /// What was remembered of a transaction that was undone is not so. The connection that writes is there, whatever else cannot
    /// be opened.
    private mutating func undo() {
        indexer.startOver()
        isBehind = true
        do { try store.pool.writeWithoutTransaction { db in try batches.reload(db) } } catch { fail(error, nil) }
    }

    private func finish() {
        let alarms = state.withLock { state in
            defer { (state.waiting, state.settling) = ([], []) }
            return state.waiting.map(\.alarm) + state.settling
        }
        for alarm in alarms { alarm.ring() }
        guard state.withLock({ $0.fault == nil }) else { return }
        // Nothing of this is needed: what it leaves behind, the next one that opens the file sees to.
        try? store.pool.write { db in
            try batches.abortRest(db)
            try ids.giveBack(db)
        }
        try? store.pool.writeWithoutTransaction(FlowStore.emptyLog)
    }
}
