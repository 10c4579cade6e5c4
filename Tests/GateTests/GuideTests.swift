import Facts
import Foundation
import Testing

@testable import Gate

@Test("the guide sends people to pages that are there", arguments: [true, false], [true, false])
func guidePages(isExposed: Bool, hasCommand: Bool) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let proxy = try #require(Endpoint("127.0.0.1:8080"))
    let guide = Guide(
        proxy: proxy, url: "http://127.0.0.1:8080", ca: "root.pem", isNewCA: true, isExposed: isExposed, run: "r",
        hasCommand: hasCommand)
    let pages = guide.lines.flatMap { $0.split(separator: " ") }.filter { $0.hasSuffix(".md") }
    #expect(pages.isEmpty == hasCommand)
    for page in pages {
        #expect(FileManager.default.fileExists(atPath: root.appending(path: String(page)).path), "\(page)")
    }
}
