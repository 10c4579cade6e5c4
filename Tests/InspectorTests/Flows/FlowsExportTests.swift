import Evidence
import Facts
import Flows
import Formats
import Foundation
import Loop
import Store
import Support
import Testing

@testable import Inspector

struct FlowsExportTests {
    private func words(_ outcome: FlowsExport.Outcome, _ format: FlowsExport.Format, _ file: String?) -> [String] {
        outcome.words(format, withSecrets: false, file: file)
    }

    @Test("what a format cannot hold is counted, and the formats that can are named")
    func leftOut() {
        var outcome = FlowsExport.Outcome()
        outcome.flows = 3
        outcome.redacted = 2
        outcome.withoutRequest = 1
        outcome.unfinishedBodies = 1
        #expect(
            words(outcome, .curl, nil) == [
                "3 flows, 2 secrets left out", "1 body never came to an end, or not yet; flows show tells which",
                "1 flow without a request left out (tunnels, failed handshakes): --format jsonl and har keep them",
            ])
    }

    @Test(
        "a flow with many messages is written in pieces, and is the same as at once", arguments: [true, false],
        [Flow.Kind.websocket, .http])
    func pieces(withSecrets: Bool, kind: Flow.Kind) throws {
        let folder = try TemporaryFolder()
        let store = try FlowStore.open(path: folder.path + "/flows.db", tools: .linked)
        var flow = Flow(id: 1, kind: kind, state: .complete, started: 1_767_225_600)
        (flow.method, flow.url, flow.messages) = ("GET", "https://a.test/?token=s3cr3t", 8)
        let text = Array((#"{"password":"hunter2"}"# + String(repeating: " ", count: 20_000)).utf8)
        let messages = (0..<8).map { FlowMessage(index: $0, atMS: 1, ExchangeMessage(from: .up, .text, text)) }
        _ = try store.insert([WholeFlow(flow, messages: messages), WholeFlow(flow)])
        let access = FlowsAccess(store)
        var whole = try #require(try access.recorded(1)?.flow)
        if !withSecrets { whole = Redaction.redacted(whole).0 }
        for format in [FlowsExport.Format.har, .jsonl] {
            var pieces: [[UInt8]] = []
            let outcome = try FlowsExport(access, format, withSecrets: withSecrets).run { pieces.append($0) }
            #expect(outcome.flows == 2 && outcome.redacted == (withSecrets ? 0 : 10))
            #expect(try #require(pieces.map(\.count).max()) < 2 * FlowsExport.piece)
            let written = Array(pieces.joined())
            guard format == .har else {
                #expect(written.starts(with: JSONLines.line(whole)))
                continue
            }
            var har = HARWriter(version: Version.pinproof)
            #expect(written.starts(with: har.begin() + har.entry(whole)))
        }
    }

    @Test("where nothing came of it, it says so, and that the file was not written")
    func nothing() {
        #expect(words(FlowsExport.Outcome(), .har, nil) == ["no flow matches"])
        #expect(words(FlowsExport.Outcome(), .har, "a.har") == ["no flow matches; a.har was not written"])
        var outcome = FlowsExport.Outcome()
        outcome.withoutRequest = 2
        #expect(
            words(outcome, .raw, "a") == [
                "2 flows matched, and none has a request that --format raw could hold; --format jsonl and har keep them; "
                    + "a was not written"
            ])
    }

    @Test("a file that nobody wants is not left behind, and what stood there stays")
    func unwanted() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a", Array("before".utf8))
        _ = try PrivateFile.write(path, isWanted: { _ in false }) { try $0([1]) }
        _ = try PrivateFile.write(folder.path + "/b", isWanted: { _ in false }) { try $0([1]) }
        #expect(try folder.names() == ["a"])
        #expect(try folder.text("a") == "before")
        _ = try PrivateFile.write(path) { try $0([0x78]) }
        #expect(try folder.text("a") == "x")
    }

    @Test("a link stays, and what it leads to is written; a device is written into, and stays one")
    func linksAndDevices() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a", Array("before".utf8))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: file)
        _ = try PrivateFile.write(folder.path + "/link") { try $0([0x78]) }
        #expect(try folder.text("a") == "x" && Files.kind(folder.path + "/link") == .link)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/null", withDestinationPath: "/dev/null")
        for path in ["/dev/null", folder.path + "/null"] { _ = try PrivateFile.write(path) { try $0([0x78]) } }
        #expect(Files.kind("/dev/null") == .stream && Files.kind(folder.path + "/null") == .link)
        #if os(Linux)
            #expect(throws: FileError.cannotWrite(path: "/dev/full", reason: "no space left on device")) {
                try PrivateFile.write("/dev/full") { try $0([0x78]) }
            }
            #expect(Files.kind("/dev/full") == .stream)
        #endif
    }
}
