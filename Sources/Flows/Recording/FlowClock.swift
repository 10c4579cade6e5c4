/// From the monotonic clock, by which all that passes is timed, to the one on the wall.
package struct FlowClock: Hashable, Sendable {
    /// Unix seconds when the monotonic clock stood at zero.
    private let zero: Double

    /// - Parameters:
    ///   - unix: Unix seconds now.
    ///   - monotonic: the same moment on the monotonic clock.
    package init(unix: Double, monotonic: Double) { zero = unix - monotonic }

    package func unix(_ monotonic: Double) -> Double { ((zero + monotonic) * 1e6).rounded() / 1e6 }
}
