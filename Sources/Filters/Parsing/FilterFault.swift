import Facts

/// What is wrong with a filter, and where.
package struct FilterFault: ExplainedError, Hashable {
    /// The filter as it was written; only the beginning of one that is too long.
    package let text: String
    /// What is wrong, in characters from 0; empty where something is missing.
    package let range: Range<Int>
    /// In lower case, without a full stop: `"mehtod:" is not known`.
    package let message: String
    /// What was probably meant in the place of `range`: `method:`.
    package let replacement: String?
    /// What else can be done about it.
    package let hint: String?

    package init(text: String, range: Range<Int>, message: String, replacement: String? = nil, hint: String? = nil) {
        self.text = text
        self.range = range
        self.message = message
        self.replacement = replacement
        self.hint = hint
    }

    /// Of the first character that is wrong, from 1.
    package var column: Int { range.lowerBound + 1 }

    /// The whole filter with the replacement in its place.
    package var corrected: String? {
        replacement.map { text.prefix(range.lowerBound) + $0 + text.dropFirst(range.upperBound) }
    }

    /// The range in UTF-16 units, as a browser's text fields count.
    package var utf16Range: Range<Int> {
        let lower = text.prefix(range.lowerBound).utf16.count
        return lower..<(lower + text.dropFirst(range.lowerBound).prefix(range.count).utf16.count)
    }

    package var cause: ErrorCause { .commandLine }

    package var explanations: [Explanation] {
        let meant = replacement.map { ["did you mean \"\(Printable.excerpt($0))\"?"] } ?? []
        return [
            Explanation(
                "filter, column \(column): \(message)", hints: meant + (hint.map { [$0] } ?? []))
        ]
    }
}
