/// Which line a place stands in; places may be asked for in any order.
struct LineCount {
    private let bytes: [UInt8]
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
    }

    /// From 1.
    func line(of place: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= place { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// The place of its line feed, or that behind the last byte.
    func end(of line: Int) -> Int { line < starts.count ? starts[line] - 1 : bytes.count }

    /// Without its line feed.
    func range(of line: Int) -> Range<Int> { starts[line - 1]..<end(of: line) }

    /// The line begins with `#`.
    func isComment(_ place: Int) -> Bool {
        let start = starts[line(of: place) - 1]
        return bytes[start..<place].first { $0 != 32 && $0 != 9 } == UInt8(ascii: "#")
    }
}

extension LineCount {
    /// Whether one of several ranges, in their order and none over another, has a place.
    static func anyContains(_ ranges: [Range<Int>], _ place: Int) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= place { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(place)
    }
}
