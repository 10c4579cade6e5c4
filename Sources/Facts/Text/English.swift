/// Numbers and lists in sentences for people.
package enum English {
    /// `"1 host"`, `"3 hosts"`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// `"a, b and c"`.
    package static func list(_ words: [String], _ conjunction: String = "and") -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// At most three by name: `"a, b and 4 more"`.
    package static func some(_ words: [String]) -> String {
        words.count <= 3 ? list(words) : words[..<2].joined(separator: ", ") + " and \(words.count - 2) more"
    }
}
