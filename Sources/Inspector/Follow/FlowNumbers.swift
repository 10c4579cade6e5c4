/// Numbers of flows, as ranges.
///
/// Most of them follow one another, so that a million need no memory.
struct FlowNumbers: Hashable {
    /// In their order; two that touch are one.
    private var ranges: [ClosedRange<Int64>] = []

    func contains(_ number: Int64) -> Bool {
        let place = firstPlace(notBelow: number)
        return place < ranges.count && ranges[place].contains(number)
    }

    /// Whether it is new.
    @discardableResult
    mutating func insert(_ number: Int64) -> Bool {
        let place = firstPlace(notBelow: number)
        if place < ranges.count, ranges[place].contains(number) { return false }
        let touchesLeft = place > 0 && number > .min && ranges[place - 1].upperBound == number - 1
        let touchesRight = place < ranges.count && number < .max && ranges[place].lowerBound == number + 1
        switch (touchesLeft, touchesRight) {
        case (true, true):
            ranges[place - 1] = ranges[place - 1].lowerBound...ranges[place].upperBound
            ranges.remove(at: place)
        case (true, false): ranges[place - 1] = ranges[place - 1].lowerBound...number
        case (false, true): ranges[place] = number...ranges[place].upperBound
        case (false, false): ranges.insert(number...number, at: place)
        }
        return true
    }

    /// Of the first range that does not end below the number.
    private func firstPlace(notBelow number: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = low + (high - low) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
