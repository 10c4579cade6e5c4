import Console
import Facts
import Filters
import Profiles

/// The filters and mutes of a profile as a book, and what is wrong with them.
package enum ProfileFilters {
    package static func book(of loaded: LoadedProfile) -> FilterBook {
        FilterBook(
            filters: loaded.profile.filters.map { FilterBook.Entry(name: $0.name, text: $0.text) },
            mutes: loaded.profile.mutes.map { FilterBook.Entry(name: $0.name, text: $0.text) })
    }

    /// Every filter that cannot be read, at its line and column in the profile.
    ///
    /// - Throws: `Complaint`, of a profile that cannot be used.
    package static func check(_ loaded: LoadedProfile, now: Double) throws(Complaint) {
        let book = book(of: loaded)
        let context = FilterContext.local(now: now, book: book)
        var items: [(place: Place, explanation: Explanation)] = []
        for (key, entries) in [("filters", book.filters), ("mutes", book.mutes)] {
            for entry in entries {
                do throws(FilterFault) { _ = try Filter.parse(entry.text, in: context) } catch {
                    var place = loaded.places.filters["\(key).\(entry.name)"] ?? Place(1, 1)
                    place.column += error.text.prefix(error.range.lowerBound).unicodeScalars.count
                    let hints = error.explanations.flatMap(\.hints)
                    let message = "\(loaded.path):\(place): in the filter \"\(entry.name)\": \(error.message)"
                    items.append((place, Explanation(message, hints: hints)))
                }
            }
        }
        guard !items.isEmpty else { return }
        throw Complaint(items.sorted { $0.place < $1.place }.map(\.explanation), status: .configuration)
    }
}
