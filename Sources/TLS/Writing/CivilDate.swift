/// A day of the proleptic Gregorian calendar, converted without C's time zone machinery.
struct CivilDate: Hashable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    // Both ways count in eras of 400 years that begin on 1 March, so that the leap day is the last of its year.
    init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// A moment of UTC in calendar parts, from Unix seconds.
struct CivilTime: Hashable {
    let date: CivilDate
    let hour: Int
    let minute: Int
    let second: Int

    init(unixSeconds: Int64) {
        var days = Int(unixSeconds / 86_400)
        var rest = Int(unixSeconds % 86_400)
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        date = CivilDate(daysSince1970: days)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    /// `2026-01-31`
    var day: String { "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))" }

    /// `2026-01-31T12:00:00Z` (RFC 3339)
    var timestamp: String {
        "\(day)T\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))Z"
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
