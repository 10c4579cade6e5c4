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

    @Test("curl's last line is the same of every certificate: its first one has the cause")
    func curl() {
        let rest = """
            More details here: https://curl.se/docs/sslcerts.html

            curl failed to verify the legitimacy of the server and therefore could not
            establish a secure connection to it. To learn more about this situation and
            how to fix it, please visit the web page mentioned above.

            """
        let cause = "curl: (60) SSL certificate problem: unable to get local issuer certificate"
        #expect(LastLine.of(Array("starting\n\(cause)\n\(rest)".utf8)) == cause)
        #expect(LastLine.of(Array(rest.utf8))?.hasPrefix("how to fix it") == true)
        #expect(LastLine.of(Array("\(cause)\n\(rest)no device\n".utf8)) == "no device")
    }

    @Test("it is cut where it is longer than a report's line, and what is no UTF-8 does no harm")
    func bounded() throws {
        let long = try #require(LastLine.of([UInt8](repeating: UInt8(ascii: "x"), count: 5000)))
        #expect(long.count == TrialEnd.lastErrorLimit + 1)
        #expect(LastLine.of([0xff, 0xfe, 0x41]) != nil)
    }
}
