import Facts
import Foundation
import Testing

@testable import Policy

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

@Suite struct FindingKindTests {
    @Test("every finding that the judge can report is in the catalogue, once")
    func catalogue() throws {
        #expect(Set(FindingCatalogue.all.map(\.id)).count == FindingCatalogue.all.count)
        var ids: Set<String> = []
        for folder in ["Verdict", "Gate"] {
            let path = root.appending(path: "Sources/\(folder)").path
            for file in try FileManager.default.subpathsOfDirectory(atPath: path) where file.hasSuffix(".swift") {
                let text = String(
                    decoding: try #require(FileManager.default.contents(atPath: "\(path)/\(file)")), as: UTF8.self)
                for match in text.matches(of: /\bFinding\(\s*id: "([a-z0-9-]+)"/) { ids.insert(String(match.1)) }
            }
        }
        #expect(ids.count > 20)
        for id in ids.sorted() { #expect(FindingCatalogue.kind(id) != nil, "FindingCatalogue lacks \(id)") }
    }

    @Test("every attack has its standards, and every id of them has the form of its catalogue")
    func standards() {
        for attack in AttackCatalogue.all {
            #expect(!attack.standards.isEmpty, "\(attack.id)")
        }
        let all = Standards.union(FindingCatalogue.all.map(\.standards) + AttackCatalogue.all.map(\.standards))
        #expect(all.mastg.allSatisfy { $0.wholeMatch(of: /MASTG-TEST-\d{4}/) != nil })
        #expect(all.maswe.allSatisfy { $0.wholeMatch(of: /MASWE-\d{4}/) != nil })
        #expect(all.cwe.allSatisfy { $0.wholeMatch(of: /CWE-\d+/) != nil })
    }

    @Test("what concerns the run alone cannot be waived")
    func waivable() {
        #expect(FindingCatalogue.waivable.contains("session-cache-bypass"))
        for id in ["interrupted", "waiver-expired", "new-finding"] { #expect(!FindingCatalogue.waivable.contains(id)) }
    }
}
