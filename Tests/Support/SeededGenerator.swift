#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// SplitMix64: the same sequence for the same seed, everywhere, so that a failure can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    package mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
}

/// Seeds of a property by random runs whose each run takes long: a third of them, and all with PINPROOF_TESTS=all
/// (`make test-all`, every night).
package func seeds(ofAll count: UInt64) -> Range<UInt64> {
    ProcessInfo.processInfo.environment["PINPROOF_TESTS"] == "all" ? 0..<count : 0..<max(10, count / 3)
}
