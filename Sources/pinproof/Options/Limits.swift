import ArgumentParser

/// Values outside of these are slips of the hand.
enum Limits {
    /// The profile's `cold_starts` has the same.
    static let coldStarts = 1...1000
    /// More would hide an app that does not work.
    static let retries = 0...10
    static let loops = 1...256
    /// A day.
    static let longest = 86_400.0

    static func check(_ name: String, _ seconds: Double?) throws {
        guard let seconds, !(seconds > 0 && seconds <= longest) else { return }
        throw ValidationError("\(name) is above 0 and at most \(Int(longest)) seconds")
    }

    static func check(_ name: String, _ count: Int?, in range: ClosedRange<Int>) throws {
        guard let count, !range.contains(count) else { return }
        throw ValidationError("\(name) is from \(range.lowerBound) to \(range.upperBound)")
    }
}
