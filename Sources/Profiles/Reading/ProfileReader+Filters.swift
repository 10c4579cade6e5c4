import Facts
import Policy

/// Filters of recorded flows that have names. What they mean is for those to say who know flows.
extension ProfileReader {
    /// As many as a book of filters takes, of either kind: more than anybody reads through.
    static let maxFilters = 128

    /// - Parameter key: `filters` or `mutes`.
    mutating func filters(_ tree: Tree, _ key: String) -> [NamedFilter] {
        let section: ProfileError.Section = key == "mutes" ? .mutes : .filters
        guard case .map(let entries) = tree.content else {
            wrongType(tree, .key(key, .top), .map)
            return []
        }
        if entries.count > Self.maxFilters {
            report(.tooMany(key, count: entries.count, limit: Self.maxFilters), at: tree.place)
        }
        var names: [String: Place] = [:]
        var filters: [NamedFilter] = []
        for entry in entries.prefix(Self.maxFilters) {
            guard let name = text(entry.key, of: .aKey(of: key)) else { continue }
            guard Self.isFilterName(name) else {
                report(.filterName(name), at: entry.key.place)
                continue
            }
            if let first = names[name.lowercased()] {
                report(.repeatedKey(name, section, firstLine: first.line), at: entry.key.place)
                continue
            }
            names[name.lowercased()] = entry.key.place
            guard let filter = text(entry.value, of: .key(name, section)) else { continue }
            var place = entry.value.place
            // Behind the quote.
            if case .scalar(_, isPlain: false) = entry.value.content { place.column += 1 }
            places.filters["\(key).\(name)"] = place
            filters.append(NamedFilter(name: name, text: filter))
        }
        return filters
    }

    /// Letters, digits and `. _ -`, so that none has to be quoted in a filter.
    private static func isFilterName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text.unicodeScalars.count <= 64 else { return false }
        let isPlain = { (scalar: Unicode.Scalar) in
            scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
        }
        return isPlain(first) && text.unicodeScalars.allSatisfy { isPlain($0) || "._-".unicodeScalars.contains($0) }
    }
}
