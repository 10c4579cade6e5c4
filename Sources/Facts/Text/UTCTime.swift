/// A moment in UTC, read and printed without the C library's time zones or Foundation.
package struct UTCTime: Hashable, Sendable {
    package let date: CalendarDate
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// What four digits of a year can say: the years 0 to 9999.
    private static let representable = -62_167_219_200.0...253_402_300_799.0

    /// From Unix seconds; what no four digits of a year can say becomes the first or the last moment that they can.
    package init(unix seconds: Double) {
        let whole = Int(seconds.rounded(.down).clamped(to: Self.representable))
        let days = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
        let rest = whole - days * 86_400
        date = CalendarDate(daysSince1970: days)
        (hour, minute, second) = (rest / 3600, rest % 3600 / 60, rest % 60)
    }

    package init(unix seconds: Int64) { self.init(unix: Double(seconds)) }

    /// `2026-01-01T00:00:00Z` (RFC 3339).
    package var rfc3339: String { "\(date)T\(hour.digits(2)):\(minute.digits(2)):\(second.digits(2))Z" }

    /// `20260101T000000Z` (ISO 8601, basic): sorts, and is a file name everywhere.
    package var compact: String {
        "\(date.year.digits(4))\(date.month.digits(2))\(date.day.digits(2))"
            + "T\(hour.digits(2))\(minute.digits(2))\(second.digits(2))Z"
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
