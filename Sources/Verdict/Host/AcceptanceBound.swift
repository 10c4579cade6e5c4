/// What N refusals in a row say about the rate of acceptances (docs/verdicts.md).
package enum AcceptanceBound {
    /// 95 % upper bound, 1 − 0.05^(1/N); nil where nothing was refused.
    package static func upper95(coldStarts: Int) -> Double? { coldStarts > 0 ? 1 - root(0.05, coldStarts) : nil }

    /// The `degree`th root of a number between 0 and 1, by halving: pure targets do without the C library.
    private static func root(_ number: Double, _ degree: Int) -> Double {
        var (low, high) = (0.0, 1.0)
        // As many halvings as there are numbers between the two, and no more.
        while true {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { return high }
            if power(middle, degree) < number { low = middle } else { high = middle }
        }
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        var (result, base, exponent) = (1.0, base, exponent)
        while exponent > 0 {
            if exponent % 2 == 1 { result *= base }
            base *= base
            exponent /= 2
        }
        return result
    }
}
