/// The known word that a mistyped one most likely meant.
public enum Nearest {
    /// nil when nothing is within a third of the word's length.
    public static func word(to typed: String, in known: some Sequence<String>) -> String? {
        // Longer than any word we know: nothing to guess, and the table below stays small.
        guard typed.utf8.count <= 64 else { return nil }
        let best = known.map { (word: $0, distance: distance(typed, $0)) }.min { $0.distance < $1.distance }
        guard let best, best.distance <= max(1, typed.count / 3) else { return nil }
        return best.word
    }

    /// Levenshtein distance, ignoring case.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
        var row = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in b.enumerated() {
                let substituted = diagonal + (left == right ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}
