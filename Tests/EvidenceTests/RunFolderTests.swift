import Loop
import Support
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import Evidence

@Test("runs that start in the same second get folders of their own")
func collision() async throws {
    let parent = try TemporaryFolder()
    let paths = try await withThrowingTaskGroup(of: String.self) { tasks in
        for _ in 0..<20 {
            tasks.addTask { try RunFolder.create(under: parent.path + "/runs", profile: "release", startedAt: 0).path }
        }
        return try await tasks.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(paths.count == 20)
    #expect(paths.contains(parent.path + "/runs/19700101T000000Z-release"))
    #expect(paths.contains(parent.path + "/runs/19700101T000000Z-release-20"))
}

@Test("a folder named by --out is made with its parents, and an empty one is taken")
func namedFolder() throws {
    let parent = try TemporaryFolder()
    let made = try RunFolder.create(at: parent.path + "/a/b/../c")
    #expect(made.path == parent.path + "/a/c")
    #expect(try parent.names("a/c") == ["client", "presented"])
    try FileManager.default.createDirectory(atPath: parent.path + "/empty", withIntermediateDirectories: false)
    #expect(try RunFolder.create(at: parent.path + "/empty").path == parent.path + "/empty")
}

@Test("a folder that holds something, and a file, are refused and left alone")
func refusedFolders() throws {
    let parent = try TemporaryFolder()
    try Data("x".utf8).write(to: URL(filePath: parent.path + "/file"))
    #expect(throws: RunFolderError.folderNotEmpty(parent.path)) { try RunFolder.create(at: parent.path) }
    #expect(throws: FileError.notAFolder(parent.path + "/file")) { try RunFolder.create(at: parent.path + "/file") }
    #expect(throws: FileError.notAFolder(parent.path + "/file")) {
        try RunFolder.create(under: parent.path + "/file", profile: "p", startedAt: 0)
    }
    #expect(try parent.names() == ["file"])
}

@Test("a name that cannot be made says so in one line")
func unwritable() throws {
    let parent = try TemporaryFolder()
    try Data("x".utf8).write(to: URL(filePath: parent.path + "/file"))
    let error = #expect(throws: FileError.self) { try RunFolder.create(at: parent.path + "/file/run") }
    let text = try #require(error).description
    #expect(text.hasPrefix("\(parent.path)/file/run: cannot write: "))
    #expect(!text.contains("\n"))
    #expect(try #require(error).cause == .environment)
}

@Test("a profile's name cannot leave the runs folder")
func hostileName() throws {
    let parent = try TemporaryFolder()
    let run = try RunFolder.create(under: parent.path, profile: "../../etc/pass wd\n", startedAt: 1_767_225_600)
    #expect(run.path == parent.path + "/20260101T000000Z-" + "-..-etc-pass-wd-")
    #expect(RunFolder.fileName(of: "..") == "run")
    #expect(RunFolder.fileName(of: "") == "run")
    #expect(RunFolder.fileName(of: String(repeating: "a", count: 300)).count == 100)
}

@Test("a file is written whole over an older one, readable by others, and nothing else is left")
func atomicWrite() throws {
    let parent = try TemporaryFolder()
    let run = try RunFolder.create(at: parent.path + "/run")
    try run.write("old", as: "report.json")
    try run.write("new", as: "report.json")
    #expect(try parent.text("run/report.json") == "new")
    #expect(try parent.names("run") == ["client", "presented", "report.json"])
    let mode = try FileManager.default.attributesOfItem(atPath: run.path + "/report.json")[.posixPermissions] as? Int
    #expect(try #require(mode) & 0o444 == 0o444)
}

@Test("a presented chain is kept once under its hash")
func presented() throws {
    let parent = try TemporaryFolder()
    let run = try RunFolder.create(at: parent.path + "/run")
    try run.keepPresented(pem: "first", sha256: "ab12")
    try run.keepPresented(pem: "second", sha256: "ab12")
    #expect(try parent.names("run/presented") == ["ab12.pem"])
    #expect(try parent.text("run/presented/ab12.pem") == "first")
}

@Test("a run that never began leaves nothing, but keeps a folder that was there")
func discard() throws {
    let parent = try TemporaryFolder()
    try RunFolder.create(at: parent.path + "/new").discard()
    try FileManager.default.createDirectory(atPath: parent.path + "/old", withIntermediateDirectories: false)
    try RunFolder.create(at: parent.path + "/old").discard()
    #expect(try parent.names() == ["old"])
    #expect(try parent.names("old").isEmpty)
}

@Test("a link that an app put in its state's place goes, and what it leads to stays")
func linkedState() throws {
    let parent = try TemporaryFolder()
    let run = try RunFolder.create(at: parent.path + "/run")
    let state = try run.makeState(trial: 1)
    let elsewhere = parent.path + "/elsewhere"
    try FileManager.default.moveItem(atPath: state, toPath: elsewhere)
    try Files.writeAtomically("kept".utf8, to: elsewhere + "/pin")
    try FileManager.default.createSymbolicLink(atPath: state, withDestinationPath: elsewhere)
    run.removeState(trial: 1)
    run.removeKeptStates()
    #expect(try parent.names("run") == ["client", "presented"])
    #expect(try parent.names("elsewhere") == ["pin"])
}
