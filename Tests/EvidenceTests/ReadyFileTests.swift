import Facts
import Policy
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import Gate

@Test("the ready file is one JSON object, and nothing else is left beside it")
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

@Test("the ready file has the proxy URL of each client, where there are clients")
func readyClients() throws {
    struct Ready: Decodable {
        var clients: [String: String]?
    }
    let folder = try TemporaryFolder()
    let main = try #require(Endpoint("127.0.0.1:5"))
    for clients in [[], [ClientRule(name: "phone", credentials: .init(user: "p", password: "s"))]] {
        try ReadyFile.write(
            folder.path + "/ready", proxy: "http://127.0.0.1:5", ca: "/root.pem", process: 7,
            clients: ClientAccess(clients, main: main, own: [:]))
        let ready = try JSONDecoder().decode(
            Ready.self, from: Data(contentsOf: URL(filePath: folder.path + "/ready")))
        #expect(ready.clients == (clients.isEmpty ? nil : ["phone": "http://p:s@127.0.0.1:5"]))
    }
}

@Test("the guide tells each client's way, no password among it, and every port that others can reach")
func clientGuide() throws {
    let proxy = try #require(Endpoint("127.0.0.1:8080"))
    let clients = [ClientRule(name: "phone", credentials: .init(user: "p", password: "geheim"))]
    let guide = Guide(
        proxy: proxy, url: "http://127.0.0.1:8080", ca: "/ca/root.pem", isNewCA: false, isExposed: false, run: "/r",
        hasCommand: true, clients: ClientAccess(clients, main: proxy, own: [:]).entries,
        exposedListens: [try #require(Endpoint("0.0.0.0:9"))])
    #expect(guide.lines.contains("client phone: http://p:***@127.0.0.1:8080"))
    #expect(!guide.lines.joined().contains("geheim"))
    #expect(guide.warnings.count == 1 && guide.warnings[0].contains("0.0.0.0:9"))
}

@Test("a proxy that others can reach is a warning, and a new CA is something to do")
func guide() throws {
    let proxy = try #require(Endpoint("0.0.0.0:8080"))
    var guide = Guide(
        proxy: proxy, url: "http://127.0.0.1:8080", ca: "/ca/root.pem", isNewCA: true, isExposed: true, run: "/r",
        hasCommand: true)
    #expect(guide.warnings.count == 1 && !guide.warnings[0].contains("--open"))
    guide.isOpen = true
    #expect(guide.warnings.count == 1 && guide.warnings[0].contains("--open"))
    #expect(guide.lines.contains { $0.contains("PINPROOF_CA") })
    #expect(guide.lines.prefix(2) == ["proxy  http://127.0.0.1:8080", "CA     /ca/root.pem"])
    guide.hasCommand = false
    guide.isExposed = false
    #expect(guide.warnings.isEmpty)
    #expect(guide.lines.contains { $0.contains("adb reverse tcp:8080") })
}
