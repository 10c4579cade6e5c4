import Loop

/// Runs what waits for a disk on threads of its own, a few at a time.
///
/// Swift's own threads are as many as processors, and libdispatch's are the same: a long search would hold up every other answer,
/// and a few of them the end of the proxy. A task that is cancelled waits no longer, neither for its turn nor for its work, which
/// reads no further flow (`FlowStore.reader(while:)`) and is thrown away.
actor DiskWork {
    /// A page asks for a list, an index and a flow at once, and there may be two pages.
    static let reading = 6
    /// Comparing and searching keep a processor busy for seconds; lists and bodies go past them.
    static let looking = 3
    /// Exports hold their thread as long as somebody takes their bytes, and must not hold up the others.
    static let exporting = 16
    /// So many wait for their turn; who is gone by then has none.
    static let queueLimit = 64

    private(set) var free: Int
    private(set) var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var next = 0
    private let queue: Int

    /// - Parameters:
    ///   - width: so many at a time.
    ///   - queue: so many wait; others are refused.
    init(width: Int, queue: Int = .max) {
        free = width
        self.queue = queue
    }

    /// - Parameters:
    ///   - isChange: once it has begun it is waited for, whoever is gone: it is carried out, and others are to hear of it.
    ///   - isWanted: whether whoever asked still waits.
    ///   - body: is told whether anybody does, as often as it asks; a change always has somebody.
    /// - Throws: what `body` throws, `CancellationError`, or a `Problem` where too many wait.
    func run<Value: Sendable>(
        isChange: Bool = false, while isWanted: @escaping @Sendable () -> Bool = { true },
        _ body: @escaping @Sendable (_ isWanted: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        try await enter()
        let result = WorkResult<Value>()
        let stillWanted: @Sendable () -> Bool = { isChange || !result.isSettled && isWanted() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                result.await(continuation)
                do {
                    _ = try WorkerThread(name: "page-work") { _ in
                        result.settle(Result { try result.perform(body, while: stillWanted) })
                        Task { await self.leave() }
                    }
                } catch {
                    result.settle(.failure(Problem(503, "no thread for it: \(error)")))
                    leave()
                }
            }
        } onCancel: {
            if !isChange { result.settle(.failure(CancellationError())) }
        }
    }

    private func enter() async throws {
        try Task.checkCancellation()
        if free > 0 {
            free -= 1
            return
        }
        guard waiting.count < queue else {
            throw Problem(503, "\(queue) questions wait for an answer already; ask again in a few seconds")
        }
        let number = next
        next += 1
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append((number, $0)) }
        } onCancel: {
            // By then it waits: an actor is not left between.
            Task { await self.giveUp(number) }
        }
        guard isIn else { throw CancellationError() }
        if Task.isCancelled {
            leave()
            throw CancellationError()
        }
    }

    private func giveUp(_ number: Int) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).continuation.resume(returning: false)
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().continuation.resume(returning: true) }
    }
}

/// The first of what the work comes to and its being called off; the rest is for nobody.
private final class WorkResult<Value: Sendable>: Sendable {
    private enum State {
        case begun
        case awaited(CheckedContinuation<Value, any Error>)
        case settled(Result<Value, any Error>)
        case over
    }

    private let state = Locked(State.begun)

    var isSettled: Bool {
        state.withLock { state in
            switch state {
            case .begun, .awaited: false
            case .settled, .over: true
            }
        }
    }

    func perform(
        _ body: (@escaping @Sendable () -> Bool) throws -> Value, while isWanted: @escaping @Sendable () -> Bool
    ) throws -> Value {
        // Called off before it began.
        guard !isSettled, isWanted() else { throw CancellationError() }
        return try body(isWanted)
    }

    func await(_ continuation: CheckedContinuation<Value, any Error>) {
        let settled: Result<Value, any Error>? = state.withLock { state in
            guard case .settled(let result) = state else {
                state = .awaited(continuation)
                return nil
            }
            state = .over
            return result
        }
        if let settled { continuation.resume(with: settled) }
    }

    func settle(_ result: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .begun:
                state = .settled(result)
                return nil
            case .awaited(let continuation):
                state = .over
                return continuation
            case .settled, .over: return nil
            }
        }
        waiting?.resume(with: result)
    }
}
