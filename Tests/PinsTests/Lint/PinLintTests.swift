import Facts
import Testing

@testable import Pins

@Suite("the linter")
struct PinLintTests {
    typealias S = LintSamples

    @Test("the rules are those of the contract, each once, by number, and each is told whole")
    func ruleBook() {
        let entries = LintRuleBook.entries
        #expect(entries.map(\.rule.id).prefix(26) == (1...26).map { "L\($0)" }[...])
        #expect(Set(entries.map(\.rule.id)).count == entries.count)
        #expect(Set(entries.map(\.rule.name)).count == entries.count)
        #expect(entries.dropFirst(26).allSatisfy { (Int($0.rule.id.dropFirst()) ?? 0) >= 30 })
        for entry in entries {
            #expect(!entry.title.isEmpty && entry.title.count <= 70 && !entry.title.hasSuffix("."), "\(entry.rule.id)")
            #expect(entry.why.hasSuffix(".") && !entry.fix.isEmpty, "\(entry.rule.id)")
            #expect(entry.rule.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
        }
    }

    @Test(
        "severities are those of the contract",
        arguments: [
            ("error", ["L1", "L4", "L7", "L11", "L15", "L18", "L19"]),
            (
                "warning",
                ["L2", "L5", "L8", "L9", "L10", "L12", "L13", "L14", "L16", "L17", "L20", "L21", "L23", "L25"]
            ),
            ("note", ["L3", "L6", "L22", "L24", "L26"]),
        ])
    func severities(_ severity: String, _ ids: [String]) {
        let found = LintRuleBook.entries.prefix(26).filter { $0.severity.rawValue == severity }.map(\.rule.id)
        #expect(found == ids)
    }

    @Test("findings come by file, line and rule, each once, whatever the order of the files")
    func order() {
        let a = S.file([S.host([S.pin("x", line: 9)])], [PinSetting(.userAnchors, line: 2, "u")], path: "a.xml")
        let b = S.file([S.host([S.root("DigiCert Global Root CA", line: 5)])], path: "b.xml")
        let all = S.findings([b, a])
        #expect(all == S.findings([a, b, a]).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        #expect(all.map(\.file) == all.map(\.file).sorted())
        #expect(
            all.map { "\($0.file):\($0.line):\($0.rule.id)" } == [
                "a.xml:2:L12", "a.xml:9:L1", "b.xml:5:L2", "b.xml:5:L6", "b.xml:5:L30", "b.xml:5:L37",
            ])
        #expect(PinLint.worst(all) == .error && PinLint.worst([]) == nil)
    }

    @Test("nothing of a file reaches a finding without being made safe")
    func hostile() {
        let evil = "\u{1b}[31m\u{202e}\n<script>&\"'" + String(repeating: "A", count: 100_000)
        let pin = DeclaredPin(.spkiSHA256, text: evil, digest: nil, line: 1)
        let host = S.host(evil, .itself, [pin, pin])
        let settings = PinSetting.Kind.allCases.map { PinSetting($0, host: evil, line: 1, evil) }
        let notes = PinNote.ID.allCases.map { PinNote($0, line: 1, evil) }
        let all = S.findings([S.file([host], settings, notes: notes)], LintSituation(today: S.today, hosts: [evil]))
        #expect(!all.isEmpty)
        for finding in all {
            #expect(finding.text.unicodeScalars.allSatisfy { $0.isPrintable }, "\(finding.rule.id)")
            #expect(finding.fix.unicodeScalars.allSatisfy { $0.isPrintable }, "\(finding.rule.id)")
            #expect(finding.text.count < 2000 && finding.fix.count < 2000, "\(finding.rule.id)")
        }
    }

    @Test("a file of many thousand entries is linted in seconds", .timeLimit(.minutes(20)))
    func large() {
        let hosts = (0..<4000).map {
            S.host("h\($0).example.com", S.below, [S.pin($0 % 997), S.pin($0 % 991 + 1000)])
        }
        let settings = (0..<4000).map { PinSetting(.clearText, host: "x.h\($0).example.com", line: $0, "c") }
        let apple = hosts.map { host in
            var host = host
            host.format = .appleATS
            return host
        }
        let all = S.findings(
            [S.file(hosts, settings), S.file(apple, [], .appleATS, path: "Info.plist")],
            S.situation(S.privateChain(), host: "x.h1.example.com"))
        #expect(!all.isEmpty)
    }

    @Test("a name at the edge of days and sizes stops nothing")
    func edges() {
        let days = [CalendarDate(year: 0, month: 1, day: 1), CalendarDate(year: 9999, month: 12, day: 31)]
        for today in days {
            for expires in days {
                var host = S.good()
                host.expires = expires
                let situation = LintSituation(
                    today: today, chains: ["api.example.com": []], hosts: ["", ".", "..", "a..b"], supportEnds: expires)
                _ = S.findings(
                    [S.file([host, S.host("", .itself, [S.pin("")]), S.host(nil, [], [S.pin(3)])])], situation)
            }
        }
    }
}
