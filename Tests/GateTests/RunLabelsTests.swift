import Console
import Facts
import Support
import Testing

@testable import Gate

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct RunLabelsTests {
    @Test("a label is a name and a value, which may be empty or hold more equals signs")
    func parsed() throws {
        #expect(
            try RunLabels.parse(["build=42", " commit =a=b", "device=", "note= spaced "])
                == ["build": "42", "commit": "a=b", "device": "", "note": " spaced "])
        #expect(try RunLabels.parse([]) == [:])
    }

    @Test(
        "a wrong one is named",
        arguments: [
            (["build"], RunLabels.Fault.noEquals("build")), (["=42"], .noName("=42")), (["  =42"], .noName("  =42")),
            (["a=1", "a=2"], .repeated("a")), (["a=" + String(repeating: "x", count: 1025)], .tooLong("a")),
            ((1...65).map { "a\($0)=1" }, .tooMany),
        ])
    func wrong(_ labels: [String], _ fault: RunLabels.Fault) {
        #expect(throws: fault) { try RunLabels.parse(labels) }
    }
}

@Suite struct ArtefactFileTests {
    @Test("an artefact is its file's name, size and hash, however large")
    func read() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.apk"
        try Data(repeating: UInt8(ascii: "a"), count: 1_000_000).write(to: URL(fileURLWithPath: path))
        #expect(
            try ArtefactFile.read([path]) == [
                RunHeader.Artefact(
                    file: "shop.apk", sha256: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
                    bytes: 1_000_000)
            ])
    }

    @Test("what cannot be read, is a folder, or has another's name is refused before anything runs")
    func refused() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/x/y", withIntermediateDirectories: true)
        for name in ["a", "x/a"] { try Data().write(to: URL(fileURLWithPath: folder.path + "/" + name)) }
        for paths in [["/nowhere.apk"], [folder.path + "/x"], [folder.path + "/a", folder.path + "/x/a"]] {
            let error = #expect(throws: (any Error).self) { try ArtefactFile.read(paths) }
            #expect(error.map { Complaint($0).status } == .usage)
        }
    }

    @Test("a pipe is no artefact: it would be waited for, and could not be looked into")
    func pipe() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/shop.apk"
        _ = try await Support.Command.run("/usr/bin/mkfifo", [pipe])
        let error = #expect(throws: Complaint.self) { try ArtefactFile.read([pipe]) }
        #expect(error?.message.contains("a pipe") == true)
    }
}
