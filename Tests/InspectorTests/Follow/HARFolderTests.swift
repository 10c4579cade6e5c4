import Console
import Facts
import Flows
import Formats
import Foundation
import Loop
import Support
import Testing

@testable import Inspector

@Suite struct HARFolderTests {
    private static func flow(_ id: Int64, bytes: Int = 10) -> RecordedFlow {
        var flow = Flow(id: id, kind: .http, state: .complete, started: 1_767_225_600)
        flow.method = "GET"
        flow.url = "https://api.example.com/\(id)"
        flow.status = 200
        return RecordedFlow(flow, response: RecordedBody(plain: [UInt8](repeating: 0x61, count: bytes)))
    }

    /// URLs of all entries, file by file; every file has to be JSON.
    private static func entries(_ folder: String) throws -> [[String]] {
        try FileTree.entries(of: folder).map { name in
            let data = try Data(contentsOf: URL(filePath: folder + "/" + name))
            let har = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let entries = (har["log"] as? [String: Any])?["entries"] as? [[String: Any]]
            return (entries ?? []).compactMap { ($0["request"] as? [String: Any])?["url"] as? String }
        }
    }

    @Test("each file is whole JSON after each entry, and before the first; folder and files are their owner's alone")
    func whole() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/a/b"
        var folder = try HARFolder(path, limits: .init(), now: { 1_767_225_600 })
        #expect(try Self.entries(path) == [[]])
        for id in Int64(1)...3 {
            try folder.add(Self.flow(id))
            #expect(try Self.entries(path) == [(1...id).map { "https://api.example.com/\($0)" }])
        }
        #expect(try FileTree.entries(of: path) == ["pinproof-20260101T000000Z-001.har"])
        #expect(try mode(of: path) == 0o700)
        #expect(try mode(of: path + "/pinproof-20260101T000000Z-001.har") == 0o600)
    }

    @Test("the next file is begun by size and by time; the oldest go when there are too many, and nothing else does")
    func rotation() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/har"
        let now = Locked(1_767_225_600.0)
        var limits = HARFolder.Limits()
        limits.file = 5000
        limits.folder = 20_000
        var folder = try HARFolder(path, limits: limits, now: { now.withLock { $0 } })
        _ = try temporary.write("har/mine.har", Array("x".utf8))
        _ = try temporary.write("har/pinproof-notes.har", Array("x".utf8))
        try folder.add(Self.flow(1, bytes: 6000))
        try folder.add(Self.flow(2))
        #expect(folder.files == 2)
        now.withLock { $0 += 3600 }
        try folder.add(Self.flow(3))
        #expect(folder.files == 3)
        for id in Int64(4)...8 { try folder.add(Self.flow(id, bytes: 6000)) }
        #expect(folder.removed > 0)
        let names = try FileTree.entries(of: path)
        #expect(names.contains("mine.har") && names.contains("pinproof-notes.har"))
        let ours = names.filter(HARFolder.isOurs)
        #expect(ours.count + folder.removed == folder.files && ours == ours.sorted())
        for name in ["mine.har", "pinproof-notes.har"] { _ = FileTree.removeFile("\(path)/\(name)") }
        #expect(try Self.entries(path).last?.last == "https://api.example.com/8")
    }

    @Test("a file that somebody has taken away is followed by the next one; without the folder it says so")
    func takenAway() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/har"
        var folder = try HARFolder(path, limits: .init(), now: { 1_767_225_600 })
        try folder.add(Self.flow(1))
        let first = path + "/pinproof-20260101T000000Z-001.har"
        try FileManager.default.moveItem(atPath: first, toPath: temporary.path + "/old.har")
        try folder.add(Self.flow(2))
        #expect(try Self.entries(path) == [["https://api.example.com/2"]])
        try FileManager.default.removeItem(atPath: path)
        let fault = #expect(throws: Complaint.self) { try folder.add(Self.flow(3)) }
        #expect(fault?.description.contains("har: cannot write: ") == true)
    }

    @Test("where the folder cannot be made, it says so with a status that a script can rely on")
    func unwritable() throws {
        let temporary = try TemporaryFolder()
        let file = try temporary.write("file", [1])
        #expect {
            _ = try HARFolder(file + "/har", limits: .init())
        } throws: { error in
            "\(error)".contains("cannot write")
        }
    }
}
