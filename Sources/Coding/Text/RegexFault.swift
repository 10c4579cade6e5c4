/// What is wrong with a regular expression.
package struct RegexFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// In RE2's words: `missing ]`, `invalid perl operator`.
    package var reason: String
    /// The part of the pattern that is to blame; empty where it is all of it, or unknown.
    package var fragment: String
    /// Where `fragment` begins, in characters of the pattern; nil where that is not known for sure.
    package var offset: Int?

    package init(reason: String, fragment: String = "", offset: Int? = nil) {
        self.reason = reason
        self.fragment = fragment
        self.offset = offset
    }

    package var description: String { fragment.isEmpty ? reason : "\(reason): \(fragment)" }
}
