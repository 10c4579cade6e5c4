import Facts
import Loop

/// How a connection came to its plaintext, for whoever follows it from there.
///
/// It is kept only where somebody does.
struct Approach {
    /// A stretch of the way, of which there may be none.
    struct Stretch {
        private var start: Double?
        private(set) var milliseconds: Double?

        var isRunning: Bool { start != nil }

        mutating func begin() { start = MonotonicClock.now }

        mutating func end() {
            guard let start else { return }
            milliseconds = ((MonotonicClock.now - start) * 1e6).rounded() / 1e3
            self.start = nil
        }
    }

    var hello: HelloFacts?
    /// When the request came.
    var asked: Double?
    var connect = Stretch()
    var originHandshake = Stretch()
    var clientHandshake = Stretch()
    /// Of the ClientHello that went to the origin.
    var ja4: String?

    var durations: ExchangeConnection.Durations {
        ExchangeConnection.Durations(
            connect: connect.milliseconds, originHandshake: originHandshake.milliseconds,
            clientHandshake: clientHandshake.milliseconds)
    }
}
