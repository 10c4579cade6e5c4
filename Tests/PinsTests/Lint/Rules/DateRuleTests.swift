import Facts
import Testing

@testable import Pins

@Suite("rules of days")
struct DateRuleTests {
    typealias S = LintSamples

    private func file(_ expires: String) -> PinFile {
        S.file([S.host("api.example.com", .itself, [S.pin(1), S.pin(2)], expires: expires)])
    }

    @Test(
        "L7: off since today is an error, within 30 days a warning, later nothing",
        arguments: [
            ("2025-06-01", LintFinding.Severity.error), ("2026-11-26", .error), ("2026-11-27", .warning),
            ("2026-12-26", .warning), ("2026-12-27", nil),
        ])
    func expiry(_ day: String, _ severity: LintFinding.Severity?) {
        #expect(S.found("L7", file(day))?.severity == severity)
    }

    @Test("L7: two domains of one set are one finding")
    func oneSet() {
        let hosts = ["a.example.com", "b.example.com"].map {
            S.host($0, .itself, [S.pin(1), S.pin(2)], expires: "2026-12-01")
        }
        #expect(S.findings([S.file(hosts)]).map(\.rule.id) == ["L7"])
    }

    @Test("L33: a set that ends on or before the last day of support, and not after it")
    func support() {
        func situation(_ end: String) -> LintSituation {
            LintSituation(today: S.today, supportEnds: CalendarDate(end))
        }
        let found = S.found("L33", file("2027-06-01"), situation("2027-12-31"))
        #expect(found?.severity == .warning && found?.fix.contains("2028-01-01") == true)
        #expect(S.found("L33", file("2027-06-01"), situation("2027-06-01"))?.text.contains("1 day") == true)
        #expect(S.found("L33", file("2027-06-01"), situation("2027-05-31")) == nil)
        #expect(S.found("L33", file("2027-06-01")) == nil)
        #expect(S.found("L33", file("2026-06-01"), situation("2027-05-31")) == nil)
    }

    @Test(
        "L30: a CA that has left, or leaves within a year, is a warning; later a note; far off nothing",
        arguments: [
            ("DigiCert Global Root CA", LintFinding.Severity.warning),
            ("Entrust Root Certification Authority - G2", .warning),
            ("Starfield Services Root Certificate Authority - G2", .warning),
            ("USERTrust RSA Certification Authority", .note), ("DigiCert Global Root G2", .note),
            ("ISRG Root X1", nil), ("Amazon Root CA 1", nil),
        ])
    func leaves(_ root: String, _ severity: LintFinding.Severity?) {
        let found = S.found("L30", S.file([S.host([S.root(root), S.pin(2)])]))
        #expect(found?.severity == severity)
        #expect(found == nil || found?.text.contains("https://") == true)
    }

    @Test("L30: intermediates that are retired are told by their key")
    func retired() {
        let r10 = S.pin("K7rZOrXHknnsEhUH8nLL4MZkejquUuIvOIr6tCa0rbo=", line: 4)
        #expect(S.found("L30", S.file([S.host([r10, S.pin(2)])]))?.text.contains("2026-07-08") == true)
        #expect(S.found("L30", S.file([S.good()])) == nil)
    }
}
