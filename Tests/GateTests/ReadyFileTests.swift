import Facts
import Policy
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import Gate

@Test("the ready file is the contract's JSON, and nothing else is left beside it")
func readyFile() throws {
    struct Ready: Codable, Equatable {
        var proxy: String
        var ca: String
        var pid: Int
    }
    let folder = try TemporaryFolder()
    try ReadyFile.write(folder.path + "/ready", proxy: "http://127.0.0.1:5", ca: "/a \"b\"/root.pem", process: 7)
    let data = try Data(contentsOf: URL(filePath: folder.path + "/ready"))
    #expect(
        try JSONDecoder().decode(Ready.self, from: data)
            == Ready(proxy: "http://127.0.0.1:5", ca: "/a \"b\"/root.pem", pid: 7))
    #expect(try folder.names() == ["ready"])
}

@Test("a proxy that others can reach is a warning, and a new CA is something to do")
func guide() throws {
    let proxy = try #require(Endpoint("0.0.0.0:8080"))
    var guide = Guide(
        proxy: proxy, url: "http://127.0.0.1:8080", ca: "/ca/root.pem", isNewCA: true, isExposed: true, run: "/r",
        hasCommand: true)
    #expect(guide.warnings.count == 1)
    #expect(guide.lines.contains { $0.contains("PINPROOF_CA") })
    #expect(guide.lines.prefix(2) == ["proxy  http://127.0.0.1:8080", "CA     /ca/root.pem"])
    guide.hasCommand = false
    guide.isExposed = false
    #expect(guide.warnings.isEmpty)
    #expect(guide.lines.contains { $0.contains("adb reverse tcp:8080") })
}
