import Foundation
import Testing

@testable import Profiles

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

@Suite struct ProfileGuideTests {
    @Test("in docs/profile.md each profile loads, or fails with exactly the output printed below it")
    func guide() throws {
        let data = try #require(FileManager.default.contents(atPath: root.appending(path: "docs/profile.md").path))
        var blocks: [(language: Substring, text: String)] = []
        for (index, part) in String(decoding: data, as: UTF8.self).components(separatedBy: "\n```").enumerated()
        where index % 2 == 1 {
            let end = try #require(part.firstIndex(of: "\n"))
            blocks.append((part[..<end], String(part[part.index(after: end)...])))
        }
        var (sound, wrong) = (0, 0)
        for (index, block) in blocks.enumerated() where block.language == "yaml" {
            let output =
                blocks.indices.contains(index + 1) && blocks[index + 1].language == "console"
                ? blocks[index + 1].text : ""
            do throws(ProfileErrors) {
                _ = try ProfileLoader.parse(text: block.text, path: "profile.yaml") {
                    output.isEmpty ? FileState.assumed($0) : .missing
                }
                #expect(output == "")
                sound += 1
            } catch {
                #expect(error.description == output)
                wrong += 1
            }
        }
        #expect(sound >= 4 && wrong >= 4)
    }
}
