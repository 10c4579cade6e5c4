/// A moment in UTC, printed without the C library or Foundation.
package struct UTCTime: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int

    /// From Unix seconds, by the civil-from-days algorithm (H. Hinnant): eras of 400 years, years beginning in March.
    package init(unix seconds: Double) {
        let whole = Int(seconds.rounded(.down).clamped(to: Self.representable))
        let days = whole >= 0 ? whole / 86400 : (whole - 86399) / 86400
        let rest = whole - days * 86400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (rest / 3600, rest % 3600 / 60, rest % 60)
    }

    /// `2026-01-01T00:00:00Z` (RFC 3339).
    package var rfc3339: String {
        "\(Self.pad(year, 4))-\(Self.pad(month))-\(Self.pad(day))T\(Self.pad(hour)):\(Self.pad(minute)):\(Self.pad(second))Z"
    }

    /// `20260101T000000Z` (ISO 8601, basic): sorts, and is a file name everywhere.
    package var compact: String {
        "\(Self.pad(year, 4))\(Self.pad(month))\(Self.pad(day))T\(Self.pad(hour))\(Self.pad(minute))\(Self.pad(second))Z"
    }

    /// Years 0 to 9999: what four digits can print.
    private static let representable = -62_167_219_200.0...253_402_300_799.0

    private static func pad(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
