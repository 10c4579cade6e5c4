import Facts
import Foundation
import Policy
import Testing
import Verdict

@testable import Report

@Suite struct FindingWordsTests {
    private var input: ReportInput {
        get throws {
            var host = Samples.pinned
            host.findings = [
                Finding(
                    id: "session-cache-bypass", severity: .error, fact: .run(.remark("data on a resumed session")),
                    evidence: [9],
                    waived: .init(until: try #require(CalendarDate("2027-01-31")), reason: "ticket <12>")),
                Finding(id: "retry-storm", severity: .warning, fact: .run(.remark("a storm")), isKnown: true),
            ]
            return Samples.input(Judgement(result: .pass, hosts: [host]))
        }
    }

    @Test("every report format shows what is waived, until when and why, and what is known")
    func everywhere() throws {
        let input = try input
        // Code hosts that have no way to say so are not told of what is waived.
        for format in ReportFormat.allCases where format != .gitlabSAST && format != .gitlabCodeQuality {
            let text = String(decoding: format.render(input), as: UTF8.self)
            #expect(text.contains("2027-01-31"), "\(format)")
            #expect(text.contains("ticket"), "\(format)")
            #expect(!text.contains("ticket <12>") || format == .json || format == .sarif, "\(format)")
            #expect(text.contains("known") || format == .sarif, "\(format)")
            #expect(text.contains("CWE-295") || text.contains("cwe-295"), "\(format)")
            #expect(text.contains("MASWE-0028"), "\(format)")
        }
        // A table breaks its lines where they are full.
        let table = TableReport().text(input).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(table.contains("waived until 2027-01-31: ticket <12>"))
        #expect(table.contains("a storm - known [retry-storm; CWE-799]"))
    }

    @Test("report.json has the catalogues' names of every host and finding")
    func json() throws {
        let report = try JSONSerialization.jsonObject(with: Data(JSONReport.bytes(input))) as? [String: Any]
        let host = try #require((report?["hosts"] as? [[String: Any]])?.first)
        let mastg = try #require(host["mastg"] as? [String])
        #expect(mastg == mastg.sorted() && mastg.contains("MASTG-TEST-0244"))
        #expect((host["maswe"] as? [String])?.contains("MASWE-0028") == true)
        #expect((host["cwe"] as? [String])?.contains("CWE-295") == true)
        let findings = try #require(host["findings"] as? [[String: Any]])
        #expect((findings[0]["waived"] as? [String: String]) == ["until": "2027-01-31", "reason": "ticket <12>"])
        #expect(findings[0]["known"] as? Bool == false)
        #expect(findings[1]["waived"] is NSNull)
        #expect(findings[1]["known"] as? Bool == true)
        #expect(findings[1]["cwe"] as? [String] == ["CWE-799"])
    }

    @Test("a host that fell for something is named by that, one that was proven by all that was tried")
    func hosts() {
        #expect(Samples.leaking.standards.mastg == ["MASTG-TEST-0244"])
        #expect(Samples.leaking.standards.maswe == ["MASWE-0028"])
        #expect(Samples.pinned.standards.cwe == ["CWE-295", "CWE-296", "CWE-298"])
        #expect(Samples.accepted.standards.isEmpty)
    }

    @Test("a rule of code scanning has tags and a page to read")
    func sarif() throws {
        let text = String(decoding: try SARIFReport.bytes(input), as: UTF8.self)
        #expect(text.contains("\"helpUri\": \"https://cwe.mitre.org/data/definitions/295.html\""))
        #expect(text.contains("external/cwe/cwe-295"))
        #expect(text.contains("\"suppressions\": [{\"kind\": \"external\", \"status\": \"accepted\""))
        #expect(text.contains("\"baselineState\": \"unchanged\""))
    }

    @Test("a result that only findings explain says so, and advice follows")
    func reasons() throws {
        var host = Samples.pinned
        host.findings = [Finding(id: "blocked-update-host", severity: .error, fact: .run(.remark("blocked")))]
        let judgement = Judgement(
            result: .fail, hosts: [host],
            findings: [
                Finding(id: "waiver-expired", severity: .error, fact: .run(.remark("the waiver held until yesterday")))
            ])
        let reason = Summary.reason(judgement)
        #expect(reason == "a waiver has expired, the finding blocked-update-host stands, 1 host proven pinned")
        #expect(Advice.entries(for: judgement).map(\.topic) == ["blocked-update-host", "waiver-expired"])
        #expect(Advice.entries(for: judgement).last?.hosts == ["the run"])
    }

    @Test("a host that is contacted only after a refusal may be meant to be, and the profile can say so")
    func reportsAndUpdates() {
        let text = FindingAdvice.text(for: "leak-after-refusal") ?? ""
        #expect(text.contains("`reports_to`") && text.contains("`update: true`"))
    }

    @Test("every finding that can be waived and has a remedy gives advice")
    func advice() {
        for id in FindingCatalogue.waivable { #expect(FindingAdvice.text(for: id) != nil, "\(id)") }
    }
}
