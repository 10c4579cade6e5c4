import FlyingSocks
import Loop

/// Bytes that one thread makes and a connection takes, at the connection's pace.
///
/// The thread waits where the connection is behind, and is told to stop where it has gone.
final class BytePipe: AsyncBufferedSequence, Sendable {
    typealias Element = UInt8

    /// Bytes that wait for the connection.
    static let limit = 1 << 20

    /// Seconds without any room after which the connection is taken for gone: a thread waits for it, and others for that.
    static let patience = 60.0

    private let patience: Double

    init(patience: Double = BytePipe.patience) { self.patience = patience }

    /// The connection has gone: nobody wants the rest.
    struct Gone: Error {}

    private struct State {
        var bytes: [UInt8] = []
        var end: Result<Void, any Error>?
        var isGone = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())
    /// Rung when there is room again.
    private let room = Alarm()

    /// From a thread that may wait.
    ///
    /// - Throws: `Gone`.
    func write(_ bytes: [UInt8]) throws {
        while true {
            let (isTaken, waiting) = try state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
                if state.isGone { throw Gone() }
                guard state.bytes.count < Self.limit else { return (false, nil) }
                state.bytes += bytes
                defer { state.waiting = nil }
                return (true, state.waiting)
            }
            waiting?.resume()
            if isTaken { return }
            if !room.sleep(seconds: patience) { abandon() }
        }
    }

    func end(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.end = result
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    private func abandon() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isGone = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
        room.ring()
    }

    /// Everything, where it ended with less than the limit; nil where there is more to come, of which nothing is taken.
    func whole() async throws -> [UInt8]? {
        try await waitUntil { $0.end != nil || $0.bytes.count >= Self.limit }
        return try state.withLock { state in
            guard let end = state.end else { return nil }
            try end.get()
            return state.bytes
        }
    }

    fileprivate func take() async throws -> [UInt8]? {
        try await waitUntil { $0.end != nil || !$0.bytes.isEmpty }
        let taken = try state.withLock { state -> [UInt8]? in
            if state.bytes.isEmpty {
                try state.end?.get()
                return nil
            }
            defer { state.bytes = [] }
            return state.bytes
        }
        room.ring()
        return taken
    }

    private func waitUntil(_ isReady: @escaping @Sendable (State) -> Bool) async throws {
        try await withTaskCancellationHandler {
            while !state.withLock({ isReady($0) || $0.isGone }) {
                await withCheckedContinuation { continuation in
                    let mustWait = state.withLock { state in
                        if isReady(state) || state.isGone { return false }
                        state.waiting = continuation
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            }
            if state.withLock({ $0.isGone }) { throw CancellationError() }
        } onCancel: {
            abandon()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(pipe: self) }

    /// Tells the thread to stop when it goes before the end.
    final class Iterator: AsyncBufferedIteratorProtocol {
        private let pipe: BytePipe
        private var rest: ArraySlice<UInt8> = []

        init(pipe: BytePipe) { self.pipe = pipe }

        deinit { pipe.abandon() }

        func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            if rest.isEmpty {
                guard let bytes = try await pipe.take() else { return nil }
                rest = bytes[...]
            }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }
    }
}
