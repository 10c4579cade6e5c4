import FlyingFox
import Inspector
import Loop

/// The recording of a proxy that runs, as another process finds it.
package enum LiveRecording {
    /// Longer than the proxy waits for its own store (`Situation.patience`); one that was stopped answers nobody.
    private static let patience = 3.0

    /// Returns when a proxy that records into this store has written what passed until now; at once where none runs.
    package static func catchUp(intoStore store: String, environment: [String: String]) async {
        guard let path = LiveSocket.path(forStore: store, environment: environment), Files.exists(path) else { return }
        let question = Question(method: "GET", target: "/api/flows?limit=1", headers: [:], body: [])
        let (ends, end) = AsyncStream<Void>.makeStream()
        let asking = Task {
            _ = try? await SocketAsker(path: path).ask(question, limit: 1 << 16)
            end.finish()
        }
        let waiting = Task {
            try? await Task.sleep(for: .seconds(patience))
            end.finish()
        }
        for await _ in ends {}
        asking.cancel()
        waiting.cancel()
    }
}
