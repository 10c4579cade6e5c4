import Dispatch

/// Runs what waits for a disk on threads of its own, a few at a time.
///
/// Swift's own threads are as many as processors: a long search would hold up every other answer.
actor DiskWork {
    /// A page asks for a list, an index and a flow at once, and there may be two pages.
    static let reading = 6
    /// Exports hold their thread as long as somebody takes their bytes, and must not hold up the others.
    static let exporting = 16

    private let queue = DispatchQueue(label: "page", attributes: .concurrent)
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) { free = width }

    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
        defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
