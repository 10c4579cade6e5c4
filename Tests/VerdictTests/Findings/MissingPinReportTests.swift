import Facts
import Policy
import Report
import Testing

@testable import Verdict

private let profile = Profile.test().changing("api.test") { $0.reportsTo = "reports.test" }
private let app = App(visits: [.accepting("cdn.test"), .pinned("api.test")])

@Suite struct MissingPinReportTests {
    @Test("a refusal that is reported nowhere is found, and one report is enough")
    func reports() throws {
        let silent = try app.judge(profile).host("api.test")
        #expect(try silent.finding("missing-pin-report").text.contains("reports.test"))
        #expect(silent.verdict == .provenPinned)
        var isFirst = true
        let once = app.judge(profile) { trial in
            guard trial.id == .trustedCA, isFirst else { return [] }
            isFirst = false
            return [Script.tunnelled("reports.test")]
        }
        #expect(try !once.host("api.test").has("missing-pin-report"))
        // Nobody said that it reports.
        #expect(try !app.judge(.test()).host("api.test").has("missing-pin-report"))
    }

    @Test("a report at the next start is one, where the host is not one that is asked anyway")
    func nextStart() throws {
        let later = app.judge(profile) { $0.id == .untrustedCA ? [Script.tunnelled("reports.test")] : [] }
        #expect(try !later.host("api.test").has("missing-pin-report"))
        let usual = app.judge(profile) { trial in
            trial == .passthrough || trial.id == .untrustedCA ? [Script.tunnelled("reports.test")] : []
        }
        #expect(try usual.host("api.test").has("missing-pin-report"))
    }

    @Test("a connection to the report host without data is no report, unless that host is attacked itself")
    func attempts() throws {
        let empty = app.judge(profile) { _ in [Script.tunnelled("reports.test", data: false)] }
        #expect(try empty.host("api.test").has("missing-pin-report"))
        let pinned = Profile.test(refuse: ["api.test", "reports.test"]).changing("api.test") {
            $0.reportsTo = "reports.test"
        }
        let both = App(visits: [.accepting("cdn.test"), .pinned("api.test"), .pinned("reports.test")]).judge(pinned)
        #expect(try !both.host("api.test").has("missing-pin-report"))
    }
}
