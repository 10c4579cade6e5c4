/// Looks for bytes within bytes.
enum ByteSearch {
    /// Where it begins at or behind `start`; nil where it does not. Linear for words without long repetitions.
    static func first(_ word: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int? {
        guard let head = word.first, let tail = word.last, start >= 0, word.count <= bytes.count else { return nil }
        let last = bytes.count - word.count
        let second = word.count > 1 ? word[1] : head
        let step = word.count > 1 ? 1 : 0
        var at = start
        while at <= last {
            guard let found = bytes[at...last].firstIndex(of: head) else { return nil }
            // Two bytes more tell nearly all places apart, for less than a slice costs.
            if bytes[found + step] == second, bytes[found + word.count - 1] == tail,
                bytes[found..<(found + word.count)].elementsEqual(word)
            {
                return found
            }
            at = found + 1
        }
        return nil
    }

    static func contains(_ word: [UInt8], in bytes: [UInt8]) -> Bool { first(word, in: bytes) != nil }
}
