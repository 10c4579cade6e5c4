/// Counts the signals that ask a program to end, and takes those of one moment as one.
struct SignalCount {
    /// Seconds in which a further signal belongs to the one that was counted.
    ///
    /// `timeout` signals its child, and then its process group with the child in it; a terminal that is closed sends a
    /// hang-up and whatever its shell adds. A person who means a second one has read what the first one led to.
    static let moment = 1.0

    private(set) var count = 0
    private var last: Double?

    /// - Parameter now: seconds of a clock that never goes back.
    /// - Returns: the number of signals so far, from 1; nil where this one belongs to the one before.
    mutating func receive(at now: Double) -> Int? {
        if let last, now - last < Self.moment { return nil }
        last = now
        count += 1
        return count
    }
}
