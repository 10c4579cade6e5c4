import Loop

/// The process group that runs now, for the moment when everything has to end at once.
package final class RunningCommand: Sendable {
    private struct State {
        var group: Int32?
        var isOver = false
    }

    private let state = Locked(State())

    package init() {}

    /// Kills it without asking, and whatever would be started after it; from any thread.
    package func kill() {
        state.withLock { state in
            state.isOver = true
            if let id = state.group { ProcessGroup(id: id).kill() }
        }
    }

    func began(_ id: Int32) {
        state.withLock { state in
            state.group = id
            if state.isOver { ProcessGroup(id: id).kill() }
        }
    }

    func ended() { state.withLock { $0.group = nil } }
}
