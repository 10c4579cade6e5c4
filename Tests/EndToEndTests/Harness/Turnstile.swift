import Foundation

/// Lets a few gates run at a time, however many tests the runner has started.
///
/// A gate and its client fill two thirds of a core, and wait for the rest; with all at once, every time limit would
/// measure the queue.
actor Turnstile {
    static let gates = Turnstile(width: max(2, ProcessInfo.processInfo.activeProcessorCount * 3 / 2))

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) { free = width }

    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Hands the place on, so that it is never free between two that wait.
    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
