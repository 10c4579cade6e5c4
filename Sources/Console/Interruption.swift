/// The wish to end the run early, which any number of tasks can wait for.
package actor Interruption {
    package private(set) var isRequested = false
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextWaiter = 0

    package init() {}

    package func request() {
        isRequested = true
        for waiter in waiters.values { waiter.resume() }
        waiters = [:]
    }

    /// Returns when the run is to end, or the waiting task was cancelled.
    package func wait() async {
        let id = nextWaiter
        nextWaiter += 1
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancelled before it got here: the handler below has run, or will find it and resume it.
                if isRequested || Task.isCancelled {
                    continuation.resume()
                } else {
                    waiters[id] = continuation
                }
            }
        } onCancel: {
            Task { await self.forget(id) }
        }
    }

    /// Sleeps, but not longer than the run goes on; true when it slept to the end.
    package func sleep(for duration: Duration) async -> Bool {
        guard !isRequested else { return false }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await Task.sleep(for: duration)) != nil }
            group.addTask {
                await self.wait()
                return false
            }
            let slept = await group.next() ?? false
            group.cancelAll()
            return slept
        }
    }

    private func forget(_ id: Int) { waiters.removeValue(forKey: id)?.resume() }
}
