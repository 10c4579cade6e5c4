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

    @Test("every required host that is not as expected is a result with its level, and no note is one")
    func results() throws {
        let run = try log(Samples.input(Samples.mixed))
        let found = run.results.map {
            "\($0.level) \($0.ruleId) \($0.locations.first?.logicalLocations?.first?.name ?? "-")"
        }
        #expect(
            found == [
                "warning evidence-cut -", "error not-pinned login.example.com",
                "error pin-on-presented-chain login.example.com", "warning refused-unproven api.example.com",
                "error invalid-environment updates.example.com",
            ])
        #expect(run.tool.driver.name == "pinproof" && run.tool.driver.version == "0.1.0")
        #expect(run.tool.driver.rules.map(\.id) == run.results.map(\.ruleId))
        #expect(run.results.map(\.ruleIndex) == Array(run.results.indices))
        #expect(run.invocations.first?.exitCode == 1 && run.invocations.first?.executionSuccessful == true)
    }

    @Test("each result lies at its host's line of the profile, or where its hosts begin")
    func places() throws {
        let run = try log(Samples.marked(Samples.mixed))
        let places = run.results.compactMap(\.locations.first?.physicalLocation)
        #expect(places.map(\.artifactLocation.uri) == .init(repeating: "pinning/release%20build.yaml", count: 5))
        #expect(places.map(\.region.startLine) == [4, 7, 7, 9, 12])
    }

    @Test("without a profile's place there is one all the same: code scanning takes no result without")
    func noPlace() throws {
        let places = try log(Samples.input(Samples.mixed)).results.compactMap(\.locations.first?.physicalLocation)
        #expect(places.count == 5)
        #expect(places.allSatisfy { $0.artifactLocation.uri == "profile.yaml" && $0.region.startLine == 1 })
    }

    @Test("a rule says what it is, what to do, and how bad it is where it is a weakness")
    func rules() throws {
        let rules = try log(Samples.input(Samples.mixed)).tool.driver.rules
        for rule in rules {
            #expect(rule.name.hasPrefix("Pinproof") && !rule.name.contains("-"))
            for text in [rule.shortDescription.text, rule.fullDescription.text, rule.help.text, rule.help.markdown] {
                #expect(text?.isEmpty == false)
            }
            #expect(rule.properties.tags.contains("security") == (rule.properties.severity != nil))
        }
        let pinned = try #require(rules.first { $0.id == "not-pinned" })
        #expect(pinned.defaultConfiguration.level == "error" && pinned.properties.severity == "8.1")
        #expect(pinned.helpUri == "https://cwe.mitre.org/data/definitions/295.html")
        #expect(try #require(rules.first { $0.id == "evidence-cut" }).helpUri == nil)
    }

    @Test("fingerprints tell results apart, and are the same when the profile's lines move")
    func fingerprints() throws {
        var input = Samples.marked(Samples.mixed)
        let before = try log(input).results.map(\.partialFingerprints)
        input.source?.lines = ["*.example.com": 70]
        #expect(try log(input).results.map(\.partialFingerprints) == before)
        #expect(Set(before.map { $0["primaryLocationLineHash"] }).count == before.count)
        #expect(before.allSatisfy { $0["primaryLocationLineHash"]?.count == 32 })
    }

    @Test("what a team bears is suppressed, and says until when")
    func waived() throws {
        var host = Samples.leaking
        host.findings[0].waived = .init(until: try #require(CalendarDate("2027-01-31")), reason: "the next release")
        let results = try log(Samples.input(Judgement(result: .fail, hosts: [host]))).results
        #expect(results.map { $0.suppressions?.map(\.justification) } == [[], ["until 2027-01-31: the next release"]])
    }

    @Test("a witness names the lines where it sent, and why it is one")
    func witness() throws {
        let run = try log(Samples.input(Samples.mixed))
        let result = try #require(run.results.first { $0.ruleId == "not-pinned" })
        #expect(result.properties?.evidence == [27])
        #expect(result.message.text.hasPrefix("login.example.com, expected to refuse: not-pinned. it sent 412 bytes"))
    }

    @Test("build and app are properties of the run")
    func facts() throws {
        let properties = try log(Samples.marked(Samples.passed)).properties
        #expect(properties.labels == ["build": "42", "commit": "1a2b3c"])
        #expect(properties.artefacts.map(\.file) == ["shop.apk"])
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
        struct Message: Decodable {
            let text: String
            let markdown: String?
        }
        struct Configuration: Decodable { let level: String }
        struct RuleProperties: Decodable {
            let tags: [String]
            let severity: String?
            enum CodingKeys: String, CodingKey {
                case tags
                case severity = "security-severity"
            }
        }
        struct Rule: Decodable {
            let id, name: String
            let shortDescription, fullDescription, help: Message
            let helpUri: String?
            let defaultConfiguration: Configuration
            let properties: RuleProperties
        }
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
        struct Artifact: Decodable { let uri: String }
        struct Physical: Decodable {
            let artifactLocation: Artifact
            let region: Region
        }
        struct Logical: Decodable { let name: String }
        struct Location: Decodable {
            let physicalLocation: Physical
            let logicalLocations: [Logical]?
        }
        struct Suppression: Decodable { let justification: String }
        struct ResultProperties: Decodable { let evidence: [Int] }
        struct Result: Decodable {
            let ruleId, level: String
            let ruleIndex: Int
            let message: Message
            let locations: [Location]
            let partialFingerprints: [String: String]
            let suppressions: [Suppression]?
            let properties: ResultProperties?
        }
        struct Artefact: Decodable { let file: String }
        struct Properties: Decodable {
            let labels: [String: String]
            let artefacts: [Artefact]
        }
        struct Run: Decodable {
            let tool: Tool
            let invocations: [Invocation]
            let results: [Result]
            let properties: Properties
        }
        let version: String
        let runs: [Run]
    }
}
