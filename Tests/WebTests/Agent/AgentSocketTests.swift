import Facts
import Foundation
import Inspector
import Loop
import Support
import Testing

@testable import Web

@Suite("Agent's socket")
struct AgentSocketTests {
    @Test("a proxy that runs is asked through its socket, and what was saved when it has gone")
    func both() async throws {
        let samples = try APISamples()
        let path = samples.folder.path + "/live/a.sock"
        let socket = try #require(await AgentSocket.open(path, LocalAsker(situation: samples.situation)))
        let status = try FileStatus(of: samples.folder.path + "/live")
        #expect(status.mode & 0o777 == 0o700)
        let store = samples.store
        let asker = AnyAsker(live: SocketAsker(path: path)) {
            let saved = try APISamples(isRecorded: false)
            _ = store
            return LocalAsker(situation: saved.situation)
        }
        var options = AgentOptions()
        options.mayChange = true
        let session = AgentSession(asker, options, mark: { "MARK" })
        func call(_ tool: String, _ arguments: String) async throws -> String {
            let line = #"{"id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
            return String(decoding: await session.answer(to: Array(line.utf8)) ?? [], as: UTF8.self)
        }
        #expect(try await call("get_flow", #"{"id":1}"#).contains("api.test"))
        #expect(try await !call("get_flow", #"{"id":5}"#).contains("s3cr3t"))
        #expect(try await call("set_host", #"{"host":"a.test","action":"tunnel"}"#).contains("tunnel"))
        #expect(samples.decisions.withLock { $0.count } == 1)
        #expect(try await call("list_flows", #"{"filter":"mehtod:GET"}"#).contains("did you mean method:"))
        // A slash within a name stays within it.
        try RouterTests.makeRun("runs/20260101T000000Z-demo/pinned", in: samples.folder)
        #expect(try await call("get_run", #"{"name":"20260101T000000Z-demo/pinned"}"#).contains("proven-pinned"))
        #expect(try await call("get_run", #"{"name":"../.."}"#).contains("there is no gate run"))
        await socket.close()
        #expect(!Files.exists(path))
        #expect(try await call("status", "{}").contains("\\\"store\\\":null"))
    }

    @Test("answers through the socket end where they were wanted to, and say so")
    func limits() async throws {
        let samples = try APISamples()
        let path = samples.folder.path + "/live/a.sock"
        let socket = try #require(await AgentSocket.open(path, LocalAsker(situation: samples.situation)))
        let question = Question(method: "GET", target: "/api/flows?view=row")
        let whole = try await SocketAsker(path: path).ask(question, limit: 1 << 20)
        #expect(whole.status == 200 && !whole.isCut && whole.bytes.count > 500)
        let part = try await SocketAsker(path: path).ask(question, limit: 100)
        #expect(part.isCut && part.bytes == Array(whole.bytes.prefix(100)))
        let export = try await SocketAsker(path: path).ask(
            Question(method: "GET", target: "/api/export?format=jsonl"), limit: 1 << 20)
        #expect(export.status == 200 && export.bytes.last == UInt8(ascii: "\n"))
        #expect(
            try await SocketAsker(path: path).ask(Question(method: "GET", target: "/api/nowhere"), limit: 100).status
                == 404)
        await socket.close()
    }

    @Test("a folder that others can enter gets no socket")
    func openFolder() async throws {
        let samples = try APISamples()
        let folder = samples.folder.path + "/open"
        try FileTree.makeFolder(folder, mode: 0o755)
        try FileTree.setMode(0o755, of: folder)
        #expect(await AgentSocket.open(folder + "/a.sock", LocalAsker(situation: samples.situation)) == nil)
    }

    @Test("a socket's place is the store's, and short enough for every system")
    func places() {
        let environment = ["HOME": "/people/somebody"]
        let one = LiveSocket.path(forStore: "/tmp/a/flows.db", environment: environment)
        #expect(one != nil && one == LiveSocket.path(forStore: "/tmp/a/flows.db", environment: environment))
        #expect(one != LiveSocket.path(forStore: "/tmp/b/flows.db", environment: environment))
        #expect(LiveSocket.path(forStore: "/a", environment: ["HOME": "/" + String(repeating: "x", count: 100)]) == nil)
        #expect(LiveSocket.path(forStore: "/a", environment: [:]) == nil)
    }
}
