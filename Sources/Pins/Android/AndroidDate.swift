import Facts

/// The date of an `expiration`, as Java's `SimpleDateFormat` reads `yyyy-MM-dd`.
enum AndroidDate {
    /// Years beyond are nobody's; and they would not print as dates.
    private static let lastYear = 9999

    /// Blanks before each number are passed over, a number may be short, and whatever follows the day is not looked at.
    static func read(_ text: String) -> CalendarDate? {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest), year >= 1, skipHyphen(&rest), let month = number(&rest), skipHyphen(&rest),
            let day = number(&rest)
        else { return nil }
        return CalendarDate("\(min(year, lastYear).digits(4))-\(month.digits(2))-\(day.digits(2))")
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        rest = rest.drop { $0 == 32 || $0 == 9 }
        let digits = rest.prefix { (48...57).contains($0) }
        rest = rest[digits.endIndex...]
        // Nine digits fit, and are more than any date has.
        guard !digits.isEmpty, digits.count <= 9 else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func skipHyphen(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: "-") else { return false }
        rest = rest.dropFirst()
        return true
    }
}
