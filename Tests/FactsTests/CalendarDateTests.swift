import Testing

@testable import Facts

@Suite struct CalendarDateTests {
    @Test("a date is a day that exists, written in one way only")
    func dates() throws {
        #expect(CalendarDate("2028-02-29")?.description == "2028-02-29")
        #expect(CalendarDate("0007-01-01")?.description == "0007-01-01")
        for text in [
            "2027-02-29", "1900-02-29", "2027-13-01", "2027-00-10", "2027-04-31", "2027-1-31", "31.01.2027", "",
            "2027-01-3x",
            "+027-01-31", "2027-01-310",
        ] {
            #expect(CalendarDate(text) == nil, "\(text)")
        }
        #expect(try #require(CalendarDate("2026-12-31")) < #require(CalendarDate("2027-01-01")))
    }

    @Test("the day of a run is its start's in UTC")
    func times() {
        #expect(CalendarDate(rfc3339: "2026-11-21T23:59:59Z")?.description == "2026-11-21")
        #expect(CalendarDate(rfc3339: "2026-11-21T23:59:59+02:00") == nil)
        #expect(CalendarDate(rfc3339: "2026-11-21") == nil)
    }

    @Test("days and dates are each other's inverse over 800 years")
    func days() {
        for days in stride(from: -146_097, through: 146_097, by: 13) {
            #expect(CalendarDate(daysSince1970: days).daysSince1970 == days)
        }
        #expect(CalendarDate(daysSince1970: 11_016) == CalendarDate(year: 2000, month: 2, day: 29))
    }
}
