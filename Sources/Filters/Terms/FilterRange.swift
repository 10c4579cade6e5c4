/// Whole numbers from one to another, both included; nil is no bound.
package struct FilterRange: Hashable, Sendable {
    package let lower: Int64?
    package let upper: Int64?

    package init(_ lower: Int64?, _ upper: Int64?) {
        self.lower = lower
        self.upper = upper
    }

    package func contains(_ number: Int64) -> Bool {
        if let lower, number < lower { return false }
        if let upper, number > upper { return false }
        return true
    }
}
