import Testing

@testable import Report

@Suite struct TerminalTextTests {
    let type = TerminalText()

    @Test("no line of what a client said is a command of the CI system that shows it")
    func commands() {
        let said =
            "the client said a long word before ::error file=a.swift,line=1::all is well ##[error]no ##vso[task]no"
        for width in 10...90 {
            for line in type.wrap(said, width) {
                #expect(!line.hasPrefix("::error") || !line.dropFirst(2).contains("::"), "\(line)")
                #expect(!line.hasPrefix("##"), "\(line)")
            }
        }
        #expect(type.wrap("::stop-commands::x", 80) == [":stop-commands::x"])
        // An address is none.
        #expect(type.wrap("::ffff:192.0.2.1 it is", 80) == ["::ffff:192.0.2.1 it is"])
    }

    @Test("words are kept whole where they fit, and no line is too long")
    func wrapping() {
        #expect(type.wrap("one two three", 7) == ["one two", "three"])
        #expect(type.wrap("  one   two ", 20) == ["one two"])
        #expect(type.wrap("", 10).isEmpty)
        #expect(type.wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"])
        #expect(type.wrap("see runs/2026/api.example.com", 12) == ["see", "runs/2026/", "api.example.", "com"])
        #expect(type.wrap("ab", 0) == ["a", "b"])
    }

    @Test("hosts break before dots, and a label is shortened only where it cannot be broken")
    func hosts() {
        #expect(type.wrapHost("api.example.com", 15) == ["api.example.com"])
        #expect(type.wrapHost("api.example.com", 11) == ["api.example", ".com"])
        #expect(type.wrapHost("api.example.com", 8) == ["api", ".example", ".com"])
        #expect(type.wrapHost("abcdefghijkl.com", 8) == ["abcd…jkl", ".com"])
        #expect(TerminalText(unicode: false).wrapHost("abcdefghijkl.com", 8) == ["abc...kl", ".com"])
    }

    @Test("what takes two columns or none is escaped, what our sentences use is not")
    func safe() {
        #expect(type.safe("naïve – “so”… ≤ 3") == "naïve – “so”… ≤ 3")
        #expect(type.safe("試e\u{301}\u{200d}\u{1b}[0m") == #"\u{8a66}e\u{301}\u{200d}\u{1b}[0m"#)
        #expect(type.safe("\u{ad}") == #"\u{ad}"#)
        #expect(TerminalText(unicode: false).safe("naïve – “so”… ≤ 3") == #"na\u{ef}ve - "so"... <= 3"#)
    }
}
