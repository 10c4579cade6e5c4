#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What N refusals in a row say about the rate of acceptances (docs/verdicts.md).
package enum AcceptanceBound {
    /// 95 % upper bound, 1 − 0.05^(1/N); nil where nothing was refused.
    package static func upper95(coldStarts: Int) -> Double? {
        coldStarts > 0 ? 1 - pow(0.05, 1 / Double(coldStarts)) : nil
    }
}
