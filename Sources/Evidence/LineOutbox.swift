import Dispatch
import Facts
import Loop

/// Lines for whoever may take them slowly, or not at all: a pipe, a terminal, a disk.
///
/// A thread of its own writes them, so that no connection waits for that. After the first failure nothing is written.
package final class LineOutbox: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isScheduled = false
        var fault: String?
    }

    private let limit: Int
    private let write: @Sendable ([UInt8]) throws -> Void
    private let failed: @Sendable (String) -> Void
    private let state = Locked(State())
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - limit: bytes that may wait.
    ///   - failed: told the reason of the first failure, on the thread that writes.
    package init(
        _ name: String, limit: Int, failed: @escaping @Sendable (String) -> Void = { _ in },
        write: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.limit = limit
        self.write = write
        self.failed = failed
        queue = DispatchQueue(label: name)
    }

    /// Why nothing is written any more; nil while all is well.
    package var fault: String? { state.withLock { $0.fault } }

    /// - Parameter line: without its newline.
    /// - Returns: false where too much waits already: it is not taken.
    package func add(_ line: [UInt8]) -> Bool {
        let (isTaken, schedules) = state.withLock { state -> (Bool, Bool) in
            guard state.fault == nil else { return (true, false) }
            guard state.waiting.count + line.count < limit else { return (false, false) }
            state.waiting += line
            state.waiting.append(UInt8(ascii: "\n"))
            defer { state.isScheduled = true }
            return (true, !state.isScheduled)
        }
        if schedules { queue.async { self.flush() } }
        return isTaken
    }

    /// Waits for what was taken to be written.
    ///
    /// - Parameter seconds: no longer than this; nil: however long it takes.
    /// - Returns: false where it was not.
    package func finish(within seconds: Double?) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            self.flush()
            isDone.signal()
        }
        return isDone.wait(timeout: seconds.map { .now() + $0 } ?? .distantFuture) == .success
    }

    private func flush() {
        let bytes = state.withLock { state in
            defer { (state.waiting, state.isScheduled) = ([], false) }
            return state.fault == nil ? state.waiting : []
        }
        guard !bytes.isEmpty else { return }
        do { try write(bytes) } catch {
            let reason = Files.reason(error)
            state.withLock { $0.fault = reason }
            failed(reason)
        }
    }
}
