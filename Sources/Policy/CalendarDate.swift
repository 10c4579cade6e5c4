/// A day of the Gregorian calendar, without a time zone: `2027-01-31`.
package struct CalendarDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Exactly `yyyy-mm-dd`, and a day that exists.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), (1...12).contains(month), day >= 1,
            day <= Self.days(month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that an RFC 3339 time in UTC falls on.
    package init?(rfc3339 text: String) {
        guard text.hasSuffix("Z"), text.utf8.count > 11, text.dropFirst(10).first == "T" else { return nil }
        self.init(text.prefix(10))
    }

    package var description: String {
        let text = String(year * 10_000 + month * 100 + day)
        let digits = String(repeating: "0", count: max(0, 8 - text.count)) + text
        return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }

    package static func < (a: Self, b: Self) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0) { sum, byte -> Int? in
            guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            return sum * 10 + Int(byte - UInt8(ascii: "0"))
        }
    }

    private static func days(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
