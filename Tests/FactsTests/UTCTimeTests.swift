import Testing

@testable import Facts

@Test(
    "Unix seconds are the right moment, leap years and negative ones included",
    arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_767_225_599, "2025-12-31T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (1e300, "9999-12-31T23:59:59Z"),
        (1.999, "1970-01-01T00:00:01Z"), (.nan, "1970-01-01T00:00:00Z"),
    ])
func moments(seconds: Double, text: String) {
    #expect(UTCTime(unix: seconds).rfc3339 == text)
}

@Test("the compact form sorts and has no character a file system minds")
func compact() { #expect(UTCTime(unix: 1_767_225_600.0).compact == "20260101T000000Z") }

@Test("microseconds are written, and rounded up into the next second where they are one")
func microseconds() {
    #expect(UTCTime.microseconds(unix: 1_767_225_600.123456) == "2026-01-01T00:00:00.123456Z")
    #expect(UTCTime.microseconds(unix: 0.9999999) == "1970-01-01T00:00:01.000000Z")
    #expect(UTCTime.microseconds(unix: -0.5) == "1969-12-31T23:59:59.500000Z")
}

@Test(
    "a time with any offset and fraction is read",
    arguments: [
        ("2026-01-01T00:00:00Z", 1_767_225_600.0), ("2026-01-01T01:00:00.5+01:00", 1_767_225_600.5),
        ("2025-12-31T19:00:00-0500", 1_767_225_600), ("1970-01-01t00:00:00z", 0),
    ])
func readsTime(text: String, unix: Double) { #expect(UTCTime.unix(rfc3339: text) == unix) }

@Test(
    "what is no time is not read",
    arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+1", "2026-01-01T00:00:00Zx", "2026-01-01 00:00:00Z",
    ])
func refusesTime(text: String) { #expect(UTCTime.unix(rfc3339: text) == nil) }
