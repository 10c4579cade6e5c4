import Facts
import Testing

@Suite struct PrintableTests {
    @Test("text with nothing odd in it stays as it is", arguments: ["", "api.example.com", "Prüfung – 試験", "a\\b|`<>"])
    func plain(_ text: String) {
        #expect(Printable.escaped(text) == text)
    }

    @Test(
        "what moves a cursor, turns the reading direction or hides is written out",
        arguments: [
            ("\u{1b}[2J", #"\u{1b}[2J"#), ("a\nb\r\n", #"a\u{a}b\u{d}\u{a}"#), ("\u{202e}moc", #"\u{202e}moc"#),
            ("a\u{200b}b", #"a\u{200b}b"#), ("\u{9b}31m", #"\u{9b}31m"#), ("\u{7f}", #"\u{7f}"#),
            ("\u{2028}", #"\u{2028}"#), ("\u{e0041}", #"\u{e0041}"#), ("\u{0}", #"\u{0}"#), ("\u{e000}", #"\u{e000}"#),
        ])
    func hostile(_ text: String, _ expected: String) {
        #expect(Printable.escaped(text) == expected)
    }

    @Test("a caller can keep less")
    func stricter() {
        #expect(Printable.escaped("a試", keeping: { $0.isASCII }) == #"a\u{8a66}"#)
    }

    @Test("what is in a PEM block stays out of excerpts: it may be a key that was named in another file's place")
    func noKeys() {
        let folded = "key: -----BEGIN EC PRIVATE KEY----- MHcCAQEEIGV1qfNkbV1C6MU28bx7 -----END EC PRIVATE KEY-----"
        #expect(Printable.excerpt(folded) == "key: -----BEGIN EC PRIVATE KEY-----…")
        #expect(Printable.excerpt("\(folded) and more", limit: 20) == "key: -----BEGIN EC P-----…")
        #expect(Printable.excerpt("-----BEGIN \u{1b}[1m\nMHcC") == #"-----BEGIN \u{1b}[1m-----…"#)
    }
}
