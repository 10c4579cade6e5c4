import Support
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import Evidence

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
    for clients in [[], [(name: "phone", url: "http://p:s@127.0.0.1:5")]] {
        try ReadyFile.write(
            folder.path + "/ready", proxy: "http://127.0.0.1:5", ca: "/root.pem", process: 7, clients: clients)
        let ready = try JSONDecoder().decode(
            Ready.self, from: Data(contentsOf: URL(filePath: folder.path + "/ready")))
        #expect(ready.clients == (clients.isEmpty ? nil : ["phone": "http://p:s@127.0.0.1:5"]))
    }
}

@Test("a ready file with a token in it is its owner's alone, also where an older one was everybody's")
func readyToken() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("ready", Array("old".utf8), mode: 0o644)
    try ReadyFile.write(
        path, proxy: "http://127.0.0.1:5", ca: "/root.pem", process: 7,
        inspector: ReadyFile.Inspector(page: "http://127.0.0.1:6/?token=t", token: "t"))
    #expect(try mode(of: path) == 0o600)
    #expect(try folder.text("ready").contains(#""token":"t""#))
    #expect(try folder.names() == ["ready"])
}

@Test("what an earlier run has left is taken away; what is somebody else's stays")
func readyCleared() throws {
    let folder = try TemporaryFolder()
    ReadyFile.clear(folder.path + "/ready")
    try ReadyFile.write(folder.path + "/ready", proxy: "http://127.0.0.1:5", ca: "/root.pem", process: 7)
    let other = try folder.write("release.yaml", Array("version: 1".utf8))
    ReadyFile.clear(folder.path + "/ready")
    ReadyFile.clear(other)
    #expect(try folder.names() == ["release.yaml"])
}
