import FlyingFox
import Inspector
import Loop

/// The recording of a proxy that runs, as another process finds it.
package enum LiveRecording {
    /// As long as the proxy waits for its recorder and its store (`Situation.patience`); one that was stopped answers nobody.
    private static let patience = 2 * Situation.patience

    /// Returns when a proxy that records into this store has written what passed until now; at once where none runs.
    package static func catchUp(intoStore store: String, environment: [String: String]) async {
        guard let path = LiveSocket.path(forStore: store, environment: environment), Files.exists(path) else { return }
        let question = Question(method: "GET", target: "/api/flows?limit=1", headers: [:], body: [])
        await Patience.wait(seconds: patience) { _ = try? await SocketAsker(path: path).ask(question, limit: 1 << 16) }
    }
}
