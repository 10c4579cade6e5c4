/// Waiting that has an end.
enum Patience {
    /// Returns when `work` has, or so many seconds have passed; what goes on by then is told that nobody waits for it.
    static func wait(seconds: Double, _ work: @escaping @Sendable () async -> Void) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let working = Task {
            await work()
            end.finish()
        }
        let waiting = Task {
            try? await Task.sleep(for: .seconds(seconds))
            end.finish()
        }
        for await _ in ends {}
        working.cancel()
        waiting.cancel()
    }
}
