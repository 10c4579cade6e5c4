import Facts
import Testing
import Verdict

@testable import Report

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct GitLabReportTests {
    @Test("code quality: an entry for each issue, with severity, file and line")
    func codeQuality() throws {
        let entries = try quality(Samples.marked(Samples.mixed))
        #expect(
            entries.map { "\($0.severity) \($0.check_name) \($0.location.lines.begin)" } == [
                "minor pinproof/evidence-cut 4", "blocker pinproof/not-pinned 7",
                "critical pinproof/pin-on-presented-chain 7",
                "minor pinproof/refused-unproven 9", "critical pinproof/invalid-environment 12",
            ])
        #expect(entries.allSatisfy { $0.location.path == "pinning/release build.yaml" })
        #expect(Set(entries.map(\.fingerprint)).count == entries.count)
        #expect(try quality(Samples.marked(Samples.passed)).isEmpty)
    }

    @Test("SAST: weaknesses are vulnerabilities, what could not be found out is a message of the scan")
    func sast() throws {
        let report = try security(Samples.marked(Samples.mixed))
        #expect(report.version == "15.0.6" && report.scan.type == "sast" && report.scan.status == "success")
        #expect(report.scan.start_time == "2026-01-01T00:00:00" && report.scan.end_time == "2026-01-01T00:00:12")
        #expect(report.scan.messages.map(\.level) == ["warn", "fatal", "warn", "fatal"])
        let found = try #require(report.vulnerabilities.first)
        #expect(report.vulnerabilities.count == 1)
        #expect(found.severity == "High" && found.location.start_line == 7)
        #expect(found.identifiers.map(\.value) == ["not-pinned@login.example.com", "295"])
        #expect(found.identifiers.last?.url == "https://cwe.mitre.org/data/definitions/295.html")
        #expect(UUID(uuidString: found.id) != nil)
    }

    @Test("a run without a verdict is a scan that failed")
    func failed() throws {
        let input = Samples.input(Judgement(result: .invalid, hosts: [], fault: "the self-test failed"))
        let report = try security(input)
        #expect(report.scan.status == "failure")
        #expect(report.scan.messages.map(\.value) == ["no-verdict: the self-test failed"])
    }

    @Test("both stay what they are, whatever a client puts into names", arguments: Samples.texts.indices)
    func hostile(_ index: Int) throws {
        let input = Samples.hostileInput(index)
        let (count, plain) = (try quality(input).count, try quality(Samples.plainInput).count)
        #expect(count == plain)
        let report = try security(input)
        let found = try security(Samples.plainInput).vulnerabilities.count
        #expect(report.vulnerabilities.count == found)
        for time in [report.scan.start_time, report.scan.end_time] { #expect(time.count == 19) }
        for found in report.vulnerabilities { #expect(!found.id.isEmpty && !found.identifiers.isEmpty) }
    }

    private func quality(_ input: ReportInput) throws -> [Quality] {
        try JSONDecoder().decode([Quality].self, from: Data(GitLabCodeQualityReport.bytes(input)))
    }

    private func security(_ input: ReportInput) throws -> Security {
        try JSONDecoder().decode(Security.self, from: Data(GitLabSASTReport.bytes(input)))
    }

    struct Quality: Decodable {
        struct Lines: Decodable { let begin: Int }
        struct Location: Decodable {
            let path: String
            let lines: Lines
        }
        let description, check_name, fingerprint, severity: String
        let location: Location
    }

    struct Security: Decodable {
        struct Message: Decodable { let level, value: String }
        struct Scan: Decodable {
            let type, status, start_time, end_time: String
            let messages: [Message]
        }
        struct Identifier: Decodable {
            let type, name, value: String
            let url: String?
        }
        struct Location: Decodable {
            let file: String
            let start_line: Int
        }
        struct Vulnerability: Decodable {
            let id, name, severity: String
            let identifiers: [Identifier]
            let location: Location
        }
        let version: String
        let scan: Scan
        let vulnerabilities: [Vulnerability]
    }
}
