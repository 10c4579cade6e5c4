import Facts
import Testing

@testable import Pins

@Suite("what the linter writes")
struct LintOutputTests {
    typealias S = LintSamples

    private static let rule = LintRule("L2", "no-backup-pin")
    private static let finding = LintFinding(
        rule, .warning, file: "app/src/main/res/xml/pins.xml", line: 7, host: "api.example.com",
        "api.example.com has one pin, and no backup", fix: "make a second key")
    private static let error = LintFinding(
        LintRule("L1", "malformed-pin"), .error, file: "app/src/main/res/xml/pins.xml", line: 9,
        "\"[x](y) {0} `<&>'\" is no digest", fix: "make the pin anew")

    private func json(_ bytes: [UInt8]) throws -> JSONValue { try JSONValue.parse(bytes) }

    @Test("JSON is the contract's")
    func contract() throws {
        let text = String(decoding: LintJSON.bytes([Self.finding, Self.error]), as: UTF8.self)
        let value = try json(Array(text.utf8))
        #expect(value["schema"]?.string == "pinproof.lint/1")
        let first = try #require(value["findings"]?.array?.first)
        #expect(first["id"]?.string == "L2" && first["name"]?.string == "no-backup-pin")
        #expect(first["severity"]?.string == "warning" && first["line"]?.int == 7)
        #expect(first["host"]?.string == "api.example.com" && first["fix"]?.string == "make a second key")
        #expect(text.contains("\"host\": null") && text.hasSuffix("}\n"))
        let none = try json(LintJSON.bytes([]))
        #expect(none["findings"]?.array?.isEmpty == true)
    }

    @Test("SARIF has every rule, and each result points to its rule, its file and its line")
    func sarif() throws {
        let value = try json(LintSARIF.bytes([Self.finding, Self.error], version: "1.2.3"))
        #expect(value["version"]?.string == "2.1.0")
        let run = try #require(value["runs"]?.array?.first)
        let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
        #expect(rules.count == LintRuleBook.entries.count)
        for rule in rules {
            #expect(rule["shortDescription"]?["text"]?.string?.isEmpty == false)
            #expect(rule["help"]?["text"]?.string?.isEmpty == false)
            #expect(rule["help"]?["markdown"]?.string?.isEmpty == false)
        }
        let results = try #require(run["results"]?.array)
        #expect(results.map { $0["level"]?.string } == ["warning", "error"])
        for result in results {
            let index = try #require(result["ruleIndex"]?.int)
            #expect(rules[index]["id"]?.string == result["ruleId"]?.string)
            #expect(result["partialFingerprints"]?["primaryLocationLineHash"]?.string?.count == 16)
        }
        let place = results[0]["locations"]?.array?.first?["physicalLocation"]
        #expect(place?["artifactLocation"]?["uri"]?.string == "app/src/main/res/xml/pins.xml")
        #expect(place?["region"]?["startLine"]?.int == 7)
        let message = try #require(results[1]["message"]?["text"]?.string)
        #expect(!message.contains { "[]{}`".contains($0) })
    }

    @Test("an alert stays the same when lines move, and two of the same text are two")
    func fingerprints() throws {
        var moved = Self.finding
        moved.line = 70
        func hashes(_ findings: [LintFinding]) throws -> [String?] {
            let run = try json(LintSARIF.bytes(findings, version: "1"))["runs"]?.array?.first
            return run?["results"]?.array?.map { $0["partialFingerprints"]?["primaryLocationLineHash"]?.string } ?? []
        }
        #expect(try hashes([Self.finding]) == hashes([moved]))
        let two = try hashes([Self.finding, moved])
        #expect(Set(two).count == 2)
    }

    @Test(
        "paths become references",
        arguments: [
            ("a b/ü.xml", "a%20b/%C3%BC.xml"), ("./Info.plist", "Info.plist"), ("a\\b.kt", "a/b.kt"),
            ("x%y:z?#.kt", "x%25y%3Az%3F%23.kt"),
        ])
    func uri(_ path: String, _ uri: String) {
        #expect(LintSARIF.uri(path) == uri)
    }

    @Test("JUnit fails by errors alone, and every file has a case")
    func junit() throws {
        let text = LintJUnit.text([Self.finding, Self.error], files: ["clean.kt", "app/src/main/res/xml/pins.xml"])
        let root = try XMLReader.read(text)
        #expect(root.attribute("tests")?.value == "3" && root.attribute("failures")?.value == "1")
        let cases = try #require(root.first("testsuite")?.elements("testcase"))
        #expect(cases.map { $0.attribute("name")?.value } == ["L1 malformed-pin", "L2 no-backup-pin", "pins lint"])
        #expect(cases[0].first("failure")?.attribute("type")?.value == "malformed-pin")
        #expect(cases[0].first("failure")?.text.contains("\"[x](y) {0} `<&>'\"") == true)
        #expect(cases[1].first("failure") == nil && cases[1].first("system-out")?.text.contains("backup") == true)
        #expect(try XMLReader.read(LintJUnit.text([], files: [])).attribute("tests")?.value == "0")
    }

    @Test("a server that could not be asked is told in every form, beside what was found")
    func notAsked() throws {
        let problem = HostProblem(.notAsked, host: "api.example.com", "its server could not be asked: refused")
        let listed = try json(LintJSON.bytes([], problems: [problem]))["problems"]?.array
        #expect(listed?.map { $0["host"]?.string } == ["api.example.com"])
        #expect(listed?.first?["kind"]?.string == "not-asked")
        let root = try XMLReader.read(LintJUnit.text([Self.error], files: [], problems: [problem]))
        #expect(root.attribute("errors")?.value == "1" && root.attribute("failures")?.value == "1")
        func invocation(_ problems: [HostProblem]) throws -> JSONValue? {
            try json(LintSARIF.bytes([], problems: problems, version: "1"))["runs"]?.array?.first?["invocations"]?
                .array?.first
        }
        #expect(try invocation([])?["executionSuccessful"]?.bool == true)
        let failed = try invocation([problem])
        #expect(failed?["executionSuccessful"]?.bool == false)
        #expect(
            failed?["toolExecutionNotifications"]?.array?.map { $0["message"]?["text"]?.string }
                == ["api.example.com: its server could not be asked: refused"])
    }

    @Test(
        "a terminal's text has errors first in each file, keeps the width, and ends with the sums",
        arguments: [40, 60, 100])
    func terminal(_ width: Int) {
        let text = LintText.text([Self.finding, Self.error], files: 2, width: width)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == "app/src/main/res/xml/pins.xml")
        #expect(lines.dropFirst().first?.hasPrefix("  9: error L1 malformed-pin: ") == true)
        #expect(lines.allSatisfy { $0.count <= width })
        #expect(lines.last == "1 error and 1 warning in 2 files")
        #expect(text.hasSuffix("files\n"))
    }

    @Test("nothing is said to be nothing")
    func silence() {
        #expect(LintText.text([], files: 1, width: 80) == "nothing found in 1 file\n")
    }

    @Test("what a file has written moves no cursor and breaks no markup")
    func hostile() throws {
        var evil = Self.finding
        evil.file = "a\u{1b}[2J\n]]>.xml"
        evil.host = "x\u{0}\u{202e}\u{ffff}"
        evil.text = "\u{1b}]0;x\u{7}<!-- \u{8}"
        let text = LintText.text([evil], files: 1, width: 80)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.isPrintable })
        _ = try XMLReader.read(LintJUnit.text([evil], files: []))
        _ = try json(LintSARIF.bytes([evil], version: "1"))
        _ = try json(LintJSON.bytes([evil]))
    }
}
