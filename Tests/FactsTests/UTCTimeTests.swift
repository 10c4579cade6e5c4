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
