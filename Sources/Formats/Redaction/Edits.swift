/// Replacements within bytes, done at once: all else stays as it is.
struct Edits {
    struct Edit {
        var range: Range<Int>
        var bytes: [UInt8]
        /// How many secrets it replaces.
        var count: Int
    }

    var list: [Edit] = []

    static let mark = Array("[redacted]".utf8)

    mutating func replace(_ range: Range<Int>, with bytes: [UInt8] = mark, count: Int = 1) {
        list.append(Edit(range: range, bytes: bytes, count: count))
    }

    mutating func replace(_ range: Range<Int>, of bytes: [UInt8]) {
        // Done before, or nothing there.
        guard !range.isEmpty, bytes[range] != Edits.mark[...] else { return }
        replace(range)
    }

    /// What overlaps an edit before it is not done.
    func applied(to bytes: [UInt8], count: inout Int) -> [UInt8] {
        guard !list.isEmpty else { return bytes }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = 0
        for edit in list.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) where edit.range.lowerBound >= at {
            out += bytes[at..<edit.range.lowerBound]
            out += edit.bytes
            at = edit.range.upperBound
            count += edit.count
        }
        return out + bytes[at...]
    }
}

extension Array<Range<Int>> {
    /// Of sorted places that do not overlap, the first one that this is so of; it is so of all that follow.
    func partitioningIndex(_ isSo: (Range<Int>) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isSo(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
