import Dispatch

/// Lines typed at a terminal, read on a thread of their own.
package final class LineInput: Sendable {
    // Serial: two readers at once would share one line.
    private let queue = DispatchQueue(label: "pinproof.stdin")

    package init() {}

    /// Waits for Enter; false at the end of input.
    package func next() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: readLine() != nil) }
        }
    }

    /// What is typed before Enter; nil at the end of input.
    package func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: readLine()) }
        }
    }
}
