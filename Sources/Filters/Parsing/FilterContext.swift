/// What a filter's words are understood by: the time, the place, and what else has a name.
package struct FilterContext: Sendable {
    /// Unix seconds.
    package var now: Double
    /// Seconds that the local zone is ahead of UTC at a moment in Unix seconds.
    package var localOffset: @Sendable (Double) -> Int
    /// Compiles a regular expression; `true` where letters' case makes no difference.
    package var regex: @Sendable (String, Bool) throws(FilterRegexFault) -> any FilterRegex
    /// What `filter:NAME` stands for.
    package var book: FilterBook

    package init(
        now: Double, localOffset: @escaping @Sendable (Double) -> Int,
        regex: @escaping @Sendable (String, Bool) throws(FilterRegexFault) -> any FilterRegex,
        book: FilterBook = FilterBook()
    ) {
        self.now = now
        self.localOffset = localOffset
        self.regex = regex
        self.book = book
    }
}

/// How large a filter may be.
///
/// It may come from a page, and each of its terms may read every body.
package enum FilterLimits {
    /// UTF-8. What fits into a URL and an address bar.
    package static let bytes = 8192
    /// With those of the filters that it names.
    package static let terms = 256
    /// Of parentheses and named filters: reading and matching go down by recursion.
    package static let depth = 32
}
