import Facts
import Testing
import Verdict

@testable import Report

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct SARIFReportTests {
    func log(_ input: ReportInput) throws -> Document.Run {
        let document = try JSONDecoder().decode(Document.self, from: Data(SARIFReport.bytes(input)))
        #expect(document.version == "2.1.0")
        return try #require(document.runs.first)
    }

    @Test("every host that is not as expected is a result with its level, and no other")
    func results() throws {
        let run = try log(Samples.input(Samples.mixed))
        let found = run.results.map {
            "\($0.level) \($0.ruleId) \($0.locations?.first?.logicalLocations?.first?.name ?? "-")"
        }
        #expect(
            found == [
                "note undeclared-host -", "warning evidence-cut -", "error not-pinned login.example.com",
                "error pin-on-presented-chain login.example.com", "warning refused-unproven api.example.com",
                "note not-exercised *.cdn.example.com", "error invalid-environment updates.example.com",
            ])
        #expect(run.tool.driver.name == "pinproof" && run.tool.driver.version == "0.1.0")
        #expect(Set(run.tool.driver.rules.map(\.id)) == Set(run.results.map(\.ruleId)))
        #expect(run.tool.driver.rules.count == Set(run.results.map(\.ruleId)).count)
        #expect(run.invocations.first?.exitCode == 1 && run.invocations.first?.executionSuccessful == true)
    }

    @Test("a witness points at the line where it sent")
    func witness() throws {
        let run = try log(Samples.input(Samples.mixed))
        let result = try #require(run.results.first { $0.ruleId == "not-pinned" })
        #expect(result.locations?.first?.physicalLocation?.region.startLine == 27)
        #expect(result.message.text.hasPrefix("login.example.com, expected to refuse: not-pinned. it sent 412 bytes"))
    }

    @Test("a pass has no result, a fault has one")
    func ends() throws {
        #expect(try log(Samples.input(Samples.passed)).results.isEmpty)
        let run = try log(Samples.input(Judgement(result: .invalid, hosts: [], fault: "the self-test failed")))
        #expect(run.results.map(\.ruleId) == ["no-verdict"])
        #expect(run.invocations.first?.executionSuccessful == false)
    }

    @Test("text from outside is neither a link nor a placeholder in a message", arguments: Samples.texts.indices)
    func hostile(_ index: Int) throws {
        for result in try log(Samples.hostileInput(index)).results {
            #expect(!result.message.text.contains { "[]{}".contains($0) })
            #expect(result.message.text.unicodeScalars.allSatisfy { $0.isPrintable })
        }
    }

    struct Document: Decodable {
        struct Message: Decodable { let text: String }
        struct Rule: Decodable { let id: String }
        struct Driver: Decodable {
            let name, version: String
            let rules: [Rule]
        }
        struct Tool: Decodable { let driver: Driver }
        struct Invocation: Decodable {
            let executionSuccessful: Bool
            let exitCode: Int
        }
        struct Region: Decodable { let startLine: Int }
        struct Physical: Decodable { let region: Region }
        struct Logical: Decodable { let name: String }
        struct Location: Decodable {
            let physicalLocation: Physical?
            let logicalLocations: [Logical]?
        }
        struct Result: Decodable {
            let ruleId, level: String
            let message: Message
            let locations: [Location]?
        }
        struct Run: Decodable {
            let tool: Tool
            let invocations: [Invocation]
            let results: [Result]
        }
        let version: String
        let runs: [Run]
    }
}
