import Dispatch
import Facts
import Loop

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Lines for whoever may read them slowly, or not at all: behind a pipe, or at a terminal.
///
/// A thread of its own writes them, so that no connection waits for that.
final class LineOutbox: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isScheduled = false
        var fault: String?
    }

    /// Bytes that were not taken yet: of some 10,000 connections.
    static let limit = 16 << 20
    /// Seconds for what waits at the end; a reader that has stood still for longer is none.
    static let patience = 2.0

    private let write: @Sendable ([UInt8]) throws -> Void
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "evidence")

    init(_ write: @escaping @Sendable ([UInt8]) throws -> Void) { self.write = write }

    /// Why nothing is written any more; nil while all is well.
    var fault: String? { state.withLock { $0.fault } }

    /// - Returns: false where too much waits already: the line is not taken.
    func add(_ line: [UInt8]) -> Bool {
        let (isTaken, schedules) = state.withLock { state -> (Bool, Bool) in
            guard state.waiting.count + line.count <= Self.limit else { return (false, false) }
            state.waiting += line
            defer { state.isScheduled = true }
            return (true, !state.isScheduled)
        }
        if schedules { queue.async { self.flush() } }
        return isTaken
    }

    /// Waits for what was taken to be written, but not for ever.
    ///
    /// - Returns: false where it was not.
    func finish() -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            self.flush()
            isDone.signal()
        }
        return isDone.wait(timeout: .now() + Self.patience) == .success
    }

    private func flush() {
        let bytes = state.withLock { state in
            defer { (state.waiting, state.isScheduled) = ([], false) }
            return state.fault == nil ? state.waiting : []
        }
        guard !bytes.isEmpty else { return }
        do { try write(bytes) } catch {
            state.withLock { $0.fault = Files.reason(error) }
        }
    }
}
