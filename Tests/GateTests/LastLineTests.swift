import Facts
import Testing

@testable import Gate

@Suite struct LastLineTests {
    @Test(
        "the last line with something in it, without colours",
        arguments: [
            ("", nil), ("\n \t\n", nil), ("one\ntwo\n", "two"), ("one\r\ntwo\r\n\r\n", "two"),
            ("\u{1b}[31merror:\u{1b}[0m no device\n", "error: no device"), ("  at rest  ", "at rest"),
            ("a\u{202e}b", "a\\u{202e}b"), ("bell\u{7}", "bell\\u{7}"), ("\u{1b}[", nil), ("\u{1b}[31", nil),
        ] as [(String, String?)])
    func lines(text: String, line: String?) { #expect(LastLine.of(Array(text.utf8)) == line) }

    @Test("it is cut where it is longer than a report's line, and what is no UTF-8 does no harm")
    func bounded() throws {
        let long = try #require(LastLine.of([UInt8](repeating: UInt8(ascii: "x"), count: 5000)))
        #expect(long.count == TrialEnd.lastErrorLimit + 1)
        #expect(LastLine.of([0xff, 0xfe, 0x41]) != nil)
    }
}
