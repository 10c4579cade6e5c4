import Facts
import Flows
import GRDB
import Loop

/// Takes what a recorder tells, and writes it on a thread of its own.
///
/// Whoever tells never waits: what does not fit in the queue is left out and counted, bytes of bodies first. Every tenth
/// of a second what has come is one transaction, so that a process which is killed loses no more than that, and a flow is
/// in the store as it was at one moment. When the disk fails, recording stops, once and for all; reading goes on.
package final class FlowWriter: Sendable {
    struct State {
        var queue: ChangeQueue
        var fault: StoreError?
        var isClosing = false
        /// Rung once everything that has come before is written: so many batches.
        var waiting: [(alarm: Alarm, batches: Int)] = []
        /// Rung once there is nothing to index or to prune either.
        var settling: [Alarm] = []
    }

    /// How long the writer collects: a live list has its rows soon enough, and a transaction is worth its while.
    static let collectingSeconds = 0.1

    package let store: FlowStore
    let state: Locked<State>
    private let ids: FlowIDs
    private let thread: WorkerThread

    /// - Parameters:
    ///   - store: opened for recording; not a reader's.
    ///   - onFault: told once, on the writer's thread, why recording has stopped.
    ///   - now: Unix seconds, for the age of flows.
    ///   - gate: passed before each transaction; for tests, which hold the writer up.
    package init(
        _ store: FlowStore, limits: StoreLimits = StoreLimits(),
        onFault: @escaping @Sendable (StoreError) -> Void = { _ in },
        now: @escaping @Sendable () -> Double = { WallClock.now }, gate: @escaping @Sendable () -> Void = {}
    ) throws(StoreError) {
        precondition(store.isForRecording, "a reader's store is not for recording")
        self.store = store
        guard !store.files.isLink else {
            throw .unusable(path: store.path, reason: "\(store.files.folder) is a link, and not a folder of its own")
        }
        let state = Locked(State(queue: ChangeQueue(limits)))
        self.state = state
        ids = try store.write { db in
            // Of a process that was killed: nobody will end them.
            try BatchWriter(BodyShelf(store.files)).abortLeftOvers(db)
            store.files.removeAll(but: try String.fetchSet(db, sql: "SELECT name FROM file"))
            return try FlowIDs(db)
        }
        let pruner = Pruner(limits, path: store.path, now: now)
        let indexer = TextIndexer(limits, store.tools)
        do {
            thread = try WorkerThread(name: "store") { [ids] alarm in
                var work = WriterThread(
                    store: store, state: state, ids: ids, onFault: onFault, gate: gate, pruner: pruner, indexer: indexer
                )
                work.run(alarm)
            }
        } catch {
            throw .unusable(path: store.path, reason: error.description)
        }
    }

    /// The number of a flow that begins now.
    package func nextID() -> Int64 { ids.next() }

    /// From any thread; returns at once.
    package func record(_ changes: [FlowChange]) {
        let mustWake = state.withLock { state in
            guard state.fault == nil, !state.isClosing else {
                state.queue.refuse(changes)
                return false
            }
            return state.queue.add(changes)
        }
        if mustWake { thread.wake() }
    }

    /// What was left out so far.
    package var dropped: DroppedCount { state.withLock { $0.queue.dropped } }

    /// Why recording has stopped.
    package var fault: StoreError? { state.withLock { $0.fault } }

    /// Waits until everything that was told is written, or recording has stopped. Not from the writer's thread.
    ///
    /// - Parameter seconds: how long at most; nil waits as long as it takes.
    /// - Returns: whether it came to that.
    @discardableResult
    package func flush(seconds: Double? = nil) -> Bool {
        wait(seconds: seconds) { state, alarm in state.waiting.append((alarm, state.queue.begun)) }
    }

    /// Waits until everything is indexed and pruned as well.
    package func settle() { _ = wait { state, alarm in state.settling.append(alarm) } }

    private func wait(seconds: Double? = nil, _ add: (inout State, Alarm) -> Void) -> Bool {
        let alarm = Alarm()
        let isWaited = state.withLock { state in
            guard state.fault == nil, !state.isClosing else { return false }
            add(&state, alarm)
            return true
        }
        guard isWaited else { return true }
        thread.wake()
        return alarm.sleep(seconds: seconds)
    }

    /// Writes what has come, and ends the thread. What is told from now on is left out, and counted.
    package func close() {
        state.withLock { $0.isClosing = true }
        thread.wake()
        thread.join()
    }
}
