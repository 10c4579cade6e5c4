import Loop

/// Who is connected to page and API, so that nothing is looked for in vain.
///
/// The server behind `PageListener` does not see that a client leaves while it works on an answer.
final class Askers: Sendable {
    private struct State {
        var next = 1
        /// By number; since when there is nothing more to come from it, where that is so.
        var here: [Int: Double?] = [:]
    }

    /// Seconds for an answer after the client's FIN: programs that leave send it, and so do a few that say in this way that
    /// they have asked (`nc -N`).
    static let grace = 2.0

    private let state = Locked(State())
    private let now: @Sendable () -> Double

    /// - Parameter now: the monotonic clock.
    init(now: @escaping @Sendable () -> Double = { MonotonicClock.now }) { self.now = now }

    func arrived() -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            state.here[state.next] = .some(nil)
            return state.next
        }
    }

    /// It says nothing more.
    func ended(_ number: Int) {
        let now = now()
        state.withLock { state in if state.here[number] == .some(nil) { state.here[number] = now } }
    }

    func left(_ number: Int) { state.withLock { $0.here[number] = nil } }

    func isWaiting(_ number: Int) -> Bool {
        guard let end = state.withLock({ $0.here[number] }) else { return false }
        return end.map { now() - $0 < Self.grace } ?? true
    }
}
