import Loop

/// Work that takes long and is wanted early, on a thread of its own: the making of RSA keys.
///
/// Swift's pool has as many threads as there are processors. On a machine with one, a key that is made there for some
/// seconds keeps everything else waiting, the start of the run first of all.
final class KeysAhead: Sendable {
    private struct State {
        var isWanted = true
        var isOver = false
        /// Who waits for the end: a run's trials, one at a time.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Locked<State>
    private let thread: WorkerThread

    /// - Parameter work: begins at once; it asks now and then whether it is still wanted.
    init(_ work: @escaping @Sendable (_ isWanted: () -> Bool) -> Void) throws(SystemError) {
        let state = Locked(State())
        self.state = state
        thread = try WorkerThread(name: "keys") { _ in
            work { state.withLock { $0.isWanted } }
            let waiting = state.withLock { state in
                state.isOver = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for one in waiting { one.resume() }
        }
    }

    /// Returns when the work is done, or has ended because nobody wanted it any more.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Returns at once; what is being made is still finished.
    func cancel() { state.withLock { $0.isWanted = false } }
}
