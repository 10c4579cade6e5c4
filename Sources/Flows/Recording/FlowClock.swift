/// From the monotonic clock, by which all that passes is timed, to the one on the wall.
package struct FlowClock: Hashable, Sendable {
    /// Unix seconds when the monotonic clock stood at zero.
    private let zero: Double

    /// - Parameters:
    ///   - unix: Unix seconds now.
    ///   - monotonic: the same moment on the monotonic clock.
    package init(unix: Double, monotonic: Double) { zero = unix - monotonic }

    /// Seconds by which the two may drift apart before it counts: who sets a clock right gently moves it by less.
    private static let drift = 1.0

    /// It once more, or a new one where the clock on the wall was set, or this machine slept: the monotonic one stands still then.
    package func following(unix: Double, monotonic: Double) -> FlowClock {
        abs(unix - monotonic - zero) > Self.drift ? FlowClock(unix: unix, monotonic: monotonic) : self
    }

    package func unix(_ monotonic: Double) -> Double { ((zero + monotonic) * 1e6).rounded() / 1e6 }
}
