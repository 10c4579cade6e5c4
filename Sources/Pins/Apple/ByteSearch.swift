/// Looks for bytes within bytes.
enum ByteSearch {
    /// Where it begins at or behind `start`; nil where it does not. Linear for words without long repetitions.
    static func first(_ word: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int? {
        guard let head = word.first, start >= 0, word.count <= bytes.count else { return nil }
        var at = start
        let last = bytes.count - word.count
        while at <= last {
            guard let found = bytes[at...last].firstIndex(of: head) else { return nil }
            if bytes[found..<(found + word.count)].elementsEqual(word) { return found }
            at = found + 1
        }
        return nil
    }

    static func contains(_ word: [UInt8], in bytes: [UInt8]) -> Bool { first(word, in: bytes) != nil }
}
