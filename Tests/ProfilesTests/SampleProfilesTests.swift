import Foundation
import Testing

@testable import Profiles

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

@Suite struct SampleProfilesTests {
    @Test("every sample profile loads, says what it is for, and names only reserved domains")
    func samples() throws {
        let folder = root.appending(path: "profiles").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        #expect(names.count >= 5)
        for name in names {
            let loaded = try ProfileLoader.load(path: folder + "/" + name)
            #expect(loaded.text.hasPrefix("# "), "\(name)")
            let hosts =
                loaded.profile.rules.map(\.pattern.base) + loaded.profile.controls.map(\.base)
                + loaded.profile.resolve.keys
            for host in hosts {
                #expect(
                    [".example.com", ".example.net", ".test", ".example"].contains { host.text.hasSuffix($0) },
                    "\(host)")
            }
            if name != "debug-proxy.yaml" {
                try loaded.requireGateable()
                try loaded.requireConstrainable()
            }
        }
    }

    @Test("no private key lies among the samples")
    func noKeys() throws {
        let folder = root.appending(path: "profiles").path
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let text = try #require(
                FileManager.default.contents(atPath: folder + "/" + name).map { String(decoding: $0, as: UTF8.self) })
            #expect(!text.contains("PRIVATE KEY"), "\(name)")
        }
    }
}
