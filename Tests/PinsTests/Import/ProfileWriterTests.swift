import Facts
import Testing

@testable import Pins

@Suite("A profile of what files pin")
struct ProfileWriterTests {
    @Test("without a host there is no profile, and it is said what is there in its place")
    func lack() {
        let header = file("h.txt", .hpkp, [DeclaredHost(nil, [], pins: [pin(1)], format: .hpkp, line: 1)])
        let lack = ProfileWriter([header]).lack
        #expect(lack?.message == "no host is named in h.txt: a profile of these pins would name none")
        #expect(lack?.effect == .unreadable && lack?.hints.first == "--json shows the pins, with host: null")
        let warnings = file("Net.kt", .source, [])
        #expect(
            ProfileWriter([warnings, warnings]).lack?.message
                == "nothing is pinned in Net.kt: a profile of it would name no host")
        let nsc = file("nsc.xml", .androidNSC, [entry("a.com", [pin(1)], .androidNSC)])
        #expect(ProfileWriter([header, nsc]).lack == nil)
        let open = file("nsc.xml", .androidNSC, [entry("a.com", [], .androidNSC)])
        #expect(ProfileWriter([open]).lack == nil)
    }

    @Test("hosts refuse with their pins, and comments say where it is from and what a profile cannot say")
    func whole() {
        let nsc = file(
            "nsc.xml", .androidNSC,
            [
                entry(".example.com", [pin(1), pin(2)], .androidNSC, line: 3, expires: "2030-01-01"),
                entry("cdn.example.com", [], .androidNSC, line: 9),
            ])
        #expect(
            ProfileWriter([nsc], today: CalendarDate("2026-11-26")).text == """
                # The hosts that the app's own files pin. What stands after a number sign is for you alone.
                # note: nsc.xml:3: the pins of example.com are off from 2030-01-01 on: every valid chain passes then
                # note: nsc.xml:9: cdn.example.com is not pinned: this entry has no pins, and the one of example.com in \
                line 3 does not count for it
                version: 1
                hosts:
                  # nsc.xml:3 (android-nsc)
                  # nsc.xml:3 (android-nsc): its pins are off from 2030-01-01 on
                  example.com:
                    expect: refuse
                    pins:
                      - \(pin(1).name)
                      - \(pin(2).name)
                  # nsc.xml:3 (android-nsc)
                  # nsc.xml:3 (android-nsc): its pins are off from 2030-01-01 on
                  "**.example.com":
                    expect: refuse
                    pins:
                      - \(pin(1).name)
                      - \(pin(2).name)
                  # nsc.xml:9 (android-nsc): not pinned, the entry has no pins
                  cdn.example.com: { expect: accept, required: false }

                """)
    }

    private func rules(_ files: PinFile..., today: String? = nil) -> [ProfileRules.Rule] {
        ProfileRules(files, today: today.flatMap { CalendarDate($0) }).rules
    }

    @Test("what is reported only, and what has expired, is not expected to refuse")
    func open() {
        let trustKit = file(
            "t.plist", .trustKit,
            [
                entry("a.com", [pin(1)], .trustKit, line: 2, enforced: false),
                entry("b.com", [pin(1)], .trustKit, line: 5, expires: "2026-01-01"),
                entry("c.com", [pin(1)], .trustKit, line: 8, expires: "2027-01-01"),
            ])
        let rules = rules(trustKit, today: "2026-01-01")
        #expect(rules.map(\.refuses) == [false, false, true] && rules.map(\.pins) == [[], [], [pin(1).name]])
        #expect(
            rules[0].comments == ["t.plist:2 (trustkit): a failed pin is only reported, and the connection goes on"])
        #expect(
            rules[1].comments == [
                "t.plist:5 (trustkit): its pins are off since 2026-01-01, and every valid chain passes"
            ])
        #expect(self.rules(trustKit).map(\.refuses) == [false, true, true])
    }

    @Test("files are united, and what one lacks of another is told")
    func conflicts() {
        let nsc = file("n.xml", .androidNSC, [entry("a.com", [pin(1), pin(2)], .androidNSC, line: 4)])
        let okHttp = file(
            "o.kt", .okHttp,
            [entry("a.com", [pin(1)], .okHttp, line: 8), entry("a.com", [pin(3)], .okHttp, line: 9)])
        let plist = file("p.plist", .appleATS, [entry("b.com", [pin(1, .leaf), pin(4, .ca)], .appleATS, line: 1)])
        let rules = rules(nsc, okHttp, plist)
        #expect(rules.map(\.pattern) == ["a.com", "b.com"])
        #expect(rules[0].pins == [1, 2, 3].map { pin($0).name })
        #expect(
            rules[0].comments == [
                "n.xml:4 (android-nsc)", "o.kt:8 (okhttp)", "p.plist (apple-ats) does not pin it",
                "conflict: n.xml:4 (android-nsc) lacks \(pin(3).name), which o.kt:8 (okhttp) has",
                "conflict: o.kt:8 (okhttp) lacks \(pin(2).name), which n.xml:4 (android-nsc) has",
            ])
        #expect(rules[1].comments.contains("p.plist:1 (apple-ats) asks for a pin of the leaf and for one of a CA"))
    }

    @Test("what a profile's pins cannot be is a comment")
    func noKeys() {
        let dart = file(
            "m.dart", .flutter,
            [
                entry("a.com", [pin(1, .leaf, .certificateSHA256)], .flutter, line: 3),
                entry("b.com", [malformedPin("x\ny")], .flutter, line: 4),
                entry("c.com", [], .flutter, line: 5, known: false, pinned: true),
                entry(nil, [pin(9)], .flutter, line: 6), entry("no name", [pin(9)], .flutter, line: 7),
                entry("*.10.0.0.1", [pin(9)], .flutter, line: 8),
            ])
        let made = ProfileRules([dart])
        #expect(made.rules.map(\.refuses) == [true, true, true] && made.rules.allSatisfy(\.pins.isEmpty))
        #expect(
            made.rules[0].comments[1]
                == "m.dart:1: \(pin(1, .leaf, .certificateSHA256).name) is no SHA-256 of a key, and is left out")
        #expect(made.rules[1].comments[1] == "m.dart:1: x\\u{a}y is malformed, and matches nothing")
        #expect(made.rules[2].comments[1] == "m.dart:5 (flutter) pins by what is not at hand")
        #expect(
            made.leftOut == [
                "m.dart:6 says no host for \(pin(9).name)", "m.dart:7: no name is no name that a profile can have",
                "m.dart:8: *.10.0.0.1 is no name that a profile can have",
            ])
        #expect(!ProfileWriter([dart]).text.contains("x\ny"))
    }

    @Test("a profile without a host that is not pinned asks for a control")
    func control() {
        let text = ProfileWriter([file("n.xml", .androidNSC, [entry("a.com", [pin(1)], .androidNSC)])]).text
        #expect(text.hasSuffix("without one, a refusal proves little.\n# controls: [cdn.example.com]\n"))
        #expect(ProfileWriter([file("n.xml", .androidNSC, [])]).text.contains("version: 1\n# Name a host"))
    }

    @Test(
        "a name is quoted where YAML would take it for something else",
        arguments: [
            ("a.com", true), ("*.a.com", false), ("10.0.0.1", false), ("::1", false), ("null", false), ("123", false),
            ("true", false), ("1e3.com", false), ("_dmarc.a.com", false), ("a-b.c_d.com", true),
        ])
    func quotes(_ name: String, _ isPlain: Bool) { #expect(ProfileWriter.isPlain(name) == isPlain) }
}
