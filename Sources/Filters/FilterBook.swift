/// Filters that have names.
///
/// There are saved ones, and mutes, whose flows are not shown unless they are asked for.
/// Both kinds can be named in a filter (`filter:NAME`), and one may name another. Names are compared without regard to
/// letters' case.
package struct FilterBook: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var text: String

        package init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    /// In the order in which they are offered.
    package var filters: [Entry]
    package var mutes: [Entry]

    package init(filters: [Entry] = [], mutes: [Entry] = []) {
        self.filters = filters
        self.mutes = mutes
    }

    /// How many there may be, of both kinds: more than anybody reads through. Whoever fills a book keeps to it.
    package static let limit = 256
    package static let nameLimit = 64

    /// Up to 64 letters, digits and `. _ -`, beginning with a letter or a digit: none of them has to be quoted.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text.unicodeScalars.count <= nameLimit else { return false }
        return isLetterOrDigit(first)
            && text.unicodeScalars.allSatisfy { isLetterOrDigit($0) || $0 == "." || $0 == "_" || $0 == "-" }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
    }

    /// A saved filter before a mute of that name.
    package subscript(name: String) -> Entry? {
        let pattern = FilterPattern(name)
        return filters.first { pattern.isAll(of: $0.name) } ?? mutes.first { pattern.isAll(of: $0.name) }
    }

    package var names: [String] { filters.map(\.name) + mutes.map(\.name) }

    /// What is wrong with its texts, by name. Its own book takes the place of the context's.
    package func faults(in context: FilterContext) -> [(name: String, fault: FilterFault)] {
        var context = context
        context.book = self
        return (filters + mutes).compactMap { entry in
            do throws(FilterFault) {
                _ = try Filter.parse(entry.text, in: context)
                return nil
            } catch {
                return (entry.name, error)
            }
        }
    }
}
