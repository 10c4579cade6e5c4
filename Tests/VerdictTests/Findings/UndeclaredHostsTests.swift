import Facts
import Policy
import Report
import Testing

@testable import Verdict

@Suite struct UndeclaredHostsTests {
    @Test("undeclared hosts with data are noted in two groups, those of a declared domain first")
    func groups() throws {
        let profile = Profile.test(refuse: ["api.example.test"])
        let hosts: [HostName] = ["b.example.test", "a.example.test", "else.invalid", "192.0.2.9"]
        let app = App(visits: [.accepting("cdn.test"), .pinned("api.example.test")] + hosts.map { .accepting($0) })
        let findings = app.judge(profile).findings
        #expect(findings.map(\.severity) == [.note, .note])
        #expect(
            findings[0].text
                == "2 hosts of a declared domain carry data and the profile does not name them: a.example.test, b.example.test"
        )
        #expect(findings[1].text.contains("192.0.2.9, else.invalid"))
    }

    @Test("a host without data is not worth a note, and where all others are accepted there are none")
    func silent() throws {
        var idle = App.Visit.accepting("else.invalid")
        idle.untouched = { _ in false }
        let app = App(visits: [.accepting("cdn.test"), .pinned("api.test"), idle])
        #expect(app.judge(.test()).findings.isEmpty)
        #expect(app.judge(.test(others: .accept)).findings.isEmpty)
        #expect(app.judge(.test(others: .report)).findings.map(\.host) == ["else.invalid"])
    }
}
