import Facts
import Policy
import Testing

@testable import Profiles

@Suite struct ProfileReaderWaiversTests {
    @Test("a waiver names a finding, a day and a reason, and a host or pattern if it likes")
    func waivers() throws {
        let profile = try parsed(
            """
            version: 1
            hosts: { api.test: { expect: refuse, reports_to: Reports.test., update: true } }
            waivers:
              - { finding: session-cache-bypass, host: "*.test", until: 2027-01-31, reason: "ticket 12" }
              - { finding: retry-storm, until: "2027-02-28", reason: later }
            """)
        #expect(profile.waivers.map(\.finding) == ["session-cache-bypass", "retry-storm"])
        #expect(profile.waivers.map { $0.host?.description } == ["*.test", nil])
        #expect(profile.waivers.map(\.until.description) == ["2027-01-31", "2027-02-28"])
        #expect(profile.waivers.first?.reason == "ticket 12")
        #expect(profile.rules.first?.reportsTo == HostName("reports.test"))
        #expect(profile.rules.first?.tellsUpdates == true)
    }

    @Test(
        "what cannot be meant is told, with a hint",
        arguments: [
            (
                "waivers: [{ finding: retry-strom, until: 2027-01-31, reason: x }]",
                "3:22: no finding is called \"retry-strom\"", "did you mean \"retry-storm\"?"
            ),
            (
                "waivers: [{ finding: not-pinned, until: 2027-01-31, reason: x }]",
                "3:22: \"not-pinned\" is a verdict, and a verdict cannot be waived", "what an app does decides"
            ),
            (
                "waivers: [{ finding: interrupted, until: 2027-01-31, reason: x }]",
                "3:22: \"interrupted\" is about the run itself, and cannot be waived", "run again"
            ),
            (
                "waivers: [{ finding: retry-storm, until: 2027-01-31 }]", "3:11: \"reason\" is missing in a waiver",
                "say why"
            ),
            (
                "waivers: [{ finding: retry-storm, reason: x }]", "3:11: \"until\" is missing in a waiver",
                "a waiver ends some day"
            ),
            (
                "waivers: [{ until: 2027-01-31, reason: x }]", "3:11: \"finding\" is missing in a waiver",
                "name the finding"
            ),
            (
                "waivers: [{ finding: retry-storm, until: 31.1.2027, reason: x }]", "3:42: \"31.1.2027\" is not a date",
                "write it as year-month-day"
            ),
            (
                "waivers: [{ finding: retry-storm, until: 2027-02-30, reason: x }]",
                "3:42: \"2027-02-30\" is not a date",
                "a day that exists"
            ),
            (
                "waivers: [{ finding: retry-storm, until: 2027, reason: x }]",
                "3:42: \"until\" in a waiver is the number 2027, not a date", ""
            ),
            (
                "waivers: [{ finding: retry-storm, untl: 2027-01-31, reason: x }]",
                "3:35: unknown key \"untl\" in a waiver",
                "did you mean \"until\"?"
            ),
            (
                "waivers: [retry-storm]",
                "3:11: an entry of \"waivers\" is the text \"retry-storm\", not a map with \"finding\", \"until\" and \"reason\"",
                ""
            ),
            ("waivers: retry-storm", "3:10: \"waivers\" is the text \"retry-storm\", not a list", ""),
        ])
    func mistakes(text: String, message: String, hint: String) {
        let told = complaint(in: "hosts: { api.test: { expect: refuse } }\n" + text)
        #expect(told.contains(message), "\(told)")
        #expect(hint.isEmpty || told.contains(hint), "\(told)")
    }

    @Test("reports go to one host by its name")
    func reports() {
        let pattern = complaint(in: "hosts: { api.test: { expect: refuse, reports_to: \"*.test\" } }")
        #expect(pattern.contains("\"*.test\" is not a host name but a pattern"))
        let url = complaint(in: "hosts: { api.test: { expect: refuse, reports_to: \"https://r.test/x\" } }")
        #expect(url.contains("write the host alone: r.test"))
        #expect(complaint(in: "hosts: { api.test: { expect: refuse, update: yes } }").contains("write true"))
    }
}
