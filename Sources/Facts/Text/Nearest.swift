/// The known word a mistyped one most likely stands for.
package enum Nearest {
    /// A longer word is no typing error for any of ours, and the distance costs its length times theirs.
    package static let maxLength = 40

    package static func word(to text: String, among known: [String]) -> String? {
        let text = folded(text)
        guard !text.isEmpty, text.count <= maxLength else { return nil }
        // A third of the letters may be wrong, but one in the shortest words and three in the longest.
        let limit = min(3, max(1, text.count / 3))
        var best: (word: String, distance: Int)?
        for word in known {
            let distance = distance(text, folded(word))
            if distance <= limit, distance < best?.distance ?? .max { best = (word, distance) }
        }
        return best?.word
    }

    /// Case and the kind of separator are the commonest slips: they cost nothing.
    private static func folded(_ text: String) -> [UInt8] {
        text.lowercased().utf8.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0 }
    }

    /// Insertions, deletions, replacements and swapped neighbours (optimal string alignment).
    package static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i] + [Int](repeating: 0, count: b.count)
            for j in 1...b.count {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
