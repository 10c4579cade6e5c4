#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The time of day, for evidence.
package enum WallClock {
    /// Unix seconds.
    package static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
