import Facts
import Foundation
import Testing

@testable import Policy

private let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/attacks.md").path

@Suite struct AttackGuideTests {
    /// Table rows of docs/attacks.md by their ids.
    private func rows() throws -> [String: [String]] {
        let text = String(decoding: try #require(FileManager.default.contents(atPath: page)), as: UTF8.self)
        var rows: [String: [String]] = [:]
        for line in text.split(separator: "\n") {
            guard let match = line.prefixMatch(of: /\| `([a-z0-9-]+)` \|/) else { continue }
            rows[String(match.1), default: []].append(String(line))
        }
        return rows
    }

    @Test("docs/attacks.md has a row for every attack, with its variants and what the catalogues call it")
    func attacks() throws {
        let rows = try rows()
        for attack in AttackCatalogue.all {
            let found = rows[attack.id.rawValue] ?? []
            let row = try #require(found.first, "docs/attacks.md has no row for the attack \(attack.id)")
            for name in attack.variants.compactMap(\.name) {
                #expect(row.contains("*\(name)*"), "\(attack.id): variant \(name)")
            }
            for id in attack.standards.all { #expect(row.contains(id), "\(attack.id): \(id)") }
        }
    }

    @Test("docs/attacks.md has a row for every finding, with what the catalogues call it")
    func findings() throws {
        let rows = try rows()
        for kind in FindingCatalogue.all {
            // One id can be an attack's and a finding's: the row that has all of it is meant.
            let found = rows[kind.id] ?? []
            #expect(!found.isEmpty, "docs/attacks.md has no row for the finding \(kind.id)")
            let row = found.last ?? ""
            for id in kind.standards.all { #expect(row.contains(id), "\(kind.id): \(id)") }
        }
    }
}
