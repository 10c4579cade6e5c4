import Foundation
import Testing

@testable import Profiles

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

@Suite struct DocumentedProfilesTests {
    /// `docs/profile.md` has a test of its own, as it shows wrong profiles too.
    static let pages = ["README.md", "docs/verdicts.md", "docs/ci.md", "docs/ca-safety.md", "ca/README.md"]

    @Test("every profile that a page shows can be loaded")
    func profiles() throws {
        var loaded = 0
        for page in Self.pages {
            let data = try #require(FileManager.default.contents(atPath: root.appending(path: page).path), "\(page)")
            let parts = String(decoding: data, as: UTF8.self).components(separatedBy: "\n```")
            // Every second part is a block; one of YAML that gives a version is a profile, others are CI files.
            for (index, part) in parts.enumerated() where index % 2 == 1 && part.hasPrefix("yaml\nversion:") {
                do throws(ProfileErrors) {
                    _ = try ProfileLoader.parse(text: String(part.dropFirst(5)), path: page) { FileState.assumed($0) }
                    loaded += 1
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
        #expect(loaded >= 1)
    }
}
