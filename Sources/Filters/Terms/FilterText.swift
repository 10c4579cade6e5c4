/// What is looked for within a text: words, or a regular expression.
package enum FilterText: Hashable, Sendable {
    case pattern(FilterPattern)
    case expression(FilterExpression)

    package func isPart(of text: [UInt8]) -> Bool {
        switch self {
        case .pattern(let pattern): pattern.isPart(of: text)
        case .expression(let expression): expression.matcher.matches(text)
        }
    }

    func isPart(ofUTF8 text: some Sequence<UInt8>) -> Bool {
        switch self {
        case .pattern(let pattern): pattern.isPart(ofUTF8: text)
        case .expression(let expression): expression.matcher.matches(Array(text))
        }
    }

    /// What is in every text that matches, but for letters' case; none where only the expression knows.
    package var literals: [String] {
        if case .pattern(let pattern) = self { pattern.literals } else { [] }
    }
}

/// A regular expression of a filter, compiled.
package struct FilterExpression: Hashable, Sendable {
    /// What stands between the slashes, where `\/` has become `/`.
    package let source: String
    package let ignoresCase: Bool
    package let matcher: any FilterRegex

    package init(_ source: String, ignoresCase: Bool, matcher: any FilterRegex) {
        self.source = source
        self.ignoresCase = ignoresCase
        self.matcher = matcher
    }

    package static func == (a: Self, b: Self) -> Bool { a.source == b.source && a.ignoresCase == b.ignoresCase }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(ignoresCase)
    }
}

/// What looks for a regular expression, lent by a fence.
///
/// It has to take time in proportion to the text, as bodies are other people's.
package protocol FilterRegex: Sendable {
    /// It is somewhere in the text: UTF-8, if its sender kept to it.
    func matches(_ bytes: [UInt8]) -> Bool
}

/// What is wrong with a regular expression.
package struct FilterRegexFault: Error, Hashable, Sendable {
    /// As the end of a sentence: `missing ]`.
    package var reason: String
    /// Characters of the expression before the fault, where that is known.
    package var offset: Int?

    package init(_ reason: String, offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }
}
