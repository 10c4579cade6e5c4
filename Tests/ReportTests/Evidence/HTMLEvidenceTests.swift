import Facts
import Policy
import Testing
import Verdict

@testable import Report

@Suite struct HTMLEvidenceTests {
    /// Lines of one host, each a refusal under `trusted-ca`.
    private func input(lines: Int, runs: Int = 1) -> ReportInput {
        var host = Samples.pinned
        host.attacks = [
            AttackTally(attack: .trustedCA, outcomes: [.alert: lines], connections: lines, evidence: Array(1...lines))
        ]
        var input = Samples.input(Judgement(result: .pass, hosts: [host]))
        let records = (1...lines).map { number in
            var seen = Observation(connection: UInt64(number), trial: 2, at: 1_767_225_600, via: .connect)
            seen.host = HostName("pay.example.com")
            seen.action = .intercepted
            seen.attack = .trustedCA
            seen.flight = .init(ms: 5, delivered: true)
            seen.alerts = [Alert(from: .client, level: 2, code: 48, epoch: .plaintext, ms: 6.5)]
            seen.close = .init(by: .client, how: .fin, ms: 7)
            return EvidenceRecord.connection(seen)
        }
        input.runs = Array(repeating: RunEvidence(records), count: runs)
        return input
    }

    @Test("a line's number leads to what it says, in words")
    func line() {
        let page = HTMLReport.text(input(lines: 2))
        #expect(page.contains("<a href=\"#line-1\">1-2</a>"))
        #expect(
            page.contains(
                "<div class=\"line\" id=\"line-1\"><p><strong>1</strong> trial 2, trusted-ca: alert, pay.example.com</p>"
            ))
        #expect(page.contains("<dt>it answered</dt><dd>alert unknown_ca after 6.5 ms</dd>"))
        #expect(page.contains("<dt>the end</dt><dd>by the client (fin) after 7.0 ms</dd>"))
    }

    @Test("a page shows so many lines of an attack, and says how many it leaves out")
    func bounded() {
        let page = HTMLReport.text(input(lines: 30))
        #expect(page.contains("id=\"line-25\"") && !page.contains("id=\"line-26\""))
        #expect(page.contains("5 more: a page shows at most 25 lines of an attack"))
    }

    @Test("of several runs each has its line, and ids stay unique")
    func merged() {
        let page = HTMLReport.text(input(lines: 1, runs: 2))
        #expect(page.contains("id=\"line-1\"") && page.contains("id=\"line-1-2\""))
        #expect(page.contains("<strong>1</strong> <small>of run 2</small>"))
    }

    @Test("without the evidence numbers are numbers")
    func none() {
        var input = input(lines: 2)
        input.runs = []
        let page = HTMLReport.text(input)
        #expect(!page.contains("#line-") && page.contains("<td>1-2</td>"))
    }

    @Test("what a client put into its lines is text", arguments: Samples.texts.indices)
    func hostile(_ index: Int) {
        let text = Samples.texts[index]
        var input = input(lines: 1)
        var seen = Observation(connection: 1, trial: 1, via: .connect)
        (seen.error, seen.clientName, seen.host) = (text, text, HostName("pay.example.com"))
        seen.hello = HelloFacts(alpn: [text], ja4: text)
        seen.upstream = .init(error: text)
        seen.first = .init(shape: text, sha256: text)
        input.runs = [RunEvidence([.connection(seen)])]
        let page = HTMLReport.text(input)
        #expect(!page.contains("<script") && !page.contains("<b>bold"))
        #expect(page.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" })
    }
}
