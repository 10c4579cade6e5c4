import Testing

@testable import Inspector

@Suite("DoctorText")
struct DoctorTextTests {
    private let report = DoctorReport([
        DoctorCheck("proxy", .ok, "pinproof 0.1.0 answers on 127.0.0.1:8080"),
        DoctorCheck(
            "trust-java", .warning, "Java does not trust the CA",
            todo:
                "`keytool -importcert -cacerts -storepass changeit -noprompt -alias pinproof -file /ca/root.pem`, or not"
        ),
        DoctorCheck("ca", .failed, "the proxy uses another CA", todo: "name it"),
        DoctorCheck("store", .skipped, "nothing is recorded"),
    ])

    @Test(
        "each check is a line with a sign and a word, and what to do is below it; a command that is broken can be copied"
    )
    func lines() {
        #expect(
            DoctorText(width: 80).text(report) == """
                ok       pinproof 0.1.0 answers on 127.0.0.1:8080
                ! note   Java does not trust the CA
                           `keytool -importcert -cacerts -storepass changeit -noprompt -alias \\
                           pinproof -file /ca/root.pem`, or not
                ✕ wrong  the proxy uses another CA
                           name it
                – info   nothing is recorded

                """)
    }

    @Test("nothing is wider than the terminal, as far as there are blanks", arguments: [40, 60, 80])
    func width(columns: Int) {
        let long = DoctorReport([
            DoctorCheck(
                "x", .warning, "a few words and more of them until a second line begins and then a third one",
                todo: "`a b c` d e")
        ])
        for report in [report, long] {
            let lines = DoctorText(width: columns).text(report).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
        }
    }

    @Test("colour is beside the words, and ASCII is enough")
    func looks() {
        let colored = DoctorText(width: 80, isColored: true).text(report)
        #expect(colored.hasPrefix("\u{1b}[32mok       \u{1b}[0mpinproof 0.1.0"))
        let plain = DoctorText(width: 80, hasUnicode: false).text(report)
        #expect(plain.utf8.allSatisfy { $0 < 0x80 } && plain.contains("x wrong  the proxy"))
    }

    @Test("who wants quiet is told of what is wrong, and of notes")
    func quiet() {
        let text = DoctorText(width: 80, isQuiet: true).text(report)
        #expect(!text.contains("answers") && !text.contains("recorded") && text.contains("another CA"))
    }

    @Test("what comes from elsewhere moves no cursor")
    func hostile() {
        let text = DoctorText(width: 80).text(DoctorReport([DoctorCheck("x", .ok, "a\u{1b}[2Jb", todo: "c\r\nd")]))
        #expect(text == "ok       a\\u{1b}[2Jb\n           c\\u{d}\\u{a}d\n")
    }
}
