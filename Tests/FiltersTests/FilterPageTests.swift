import Foundation
import Testing

@testable import Filters

/// The table of docs/inspector.md says everything that a filter can ask for.
@Suite struct FilterPageTests {
    private static func table() throws -> [(key: String, finds: String)] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/inspector.md"), encoding: .utf8)
        let rows = page.components(separatedBy: "\n").drop { !$0.hasPrefix("| key | finds |") }.prefix {
            $0.hasPrefix("|")
        }
        return rows.dropFirst(2).map { row in
            let cells = row.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: true)
            return (String(cells.first ?? ""), String(cells.last ?? ""))
        }
    }

    @Test("each key that the parser knows stands in the table, and none that it does not know")
    func keys() throws {
        let table = try Self.table()
        #expect(table.count > 8)
        // What stands in backquotes, as far as its colon.
        let written = table.flatMap { row in
            row.key.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
                .compactMap { $0.element.split(separator: ":").first.map(String.init) }
        }
        #expect(Set(written) == Set(FilterKey.allCases.map(\.rawValue)))
    }

    @Test("each word after is: stands in its row")
    func traits() throws {
        let row = try #require(try Self.table().first { $0.key.contains("`is:`") })
        let words = Set(row.finds.split { !$0.isLetter }.map(String.init))
        #expect(words == Set(FilterTrait.allCases.map(\.rawValue)))
    }
}
