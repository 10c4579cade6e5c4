import Loop
import Support
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import Gate

@Test("a name is looked up in the given PATH, the first executable wins")
func lookup() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
    }
    try Data("not executable".utf8).write(to: URL(filePath: folder.path + "/a/tool"))
    let tool = try folder.script("b/tool", "exit 0")
    let found = try Command(["tool", "-x"], searching: "/nowhere:\(folder.path)/a:\(folder.path)/b")
    #expect(found.path == tool)
    #expect(found.words == ["tool", "-x"])
    #expect(throws: GateError.commandNotExecutable("\(folder.path)/a/tool")) {
        try Command(["tool"], searching: "\(folder.path)/a")
    }
    #expect(throws: GateError.commandNotFound("tool", inPath: true)) { try Command(["tool"], searching: "/nowhere") }
}

@Test("a path is taken from the current folder, and says what is wrong with it")
func paths() throws {
    let folder = try TemporaryFolder()
    let script = try folder.script("run", "exit 0")
    #expect(
        try Command([folder.path + "/../" + script.split(separator: "/").suffix(2).joined(separator: "/")]).path
            == script)
    #expect(throws: GateError.commandIsFolder(folder.path)) { try Command([folder.path]) }
    #expect(throws: GateError.commandNotFound("./no-such-file", inPath: false)) { try Command(["./no-such-file"]) }
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: script)
    #expect(throws: GateError.commandNotExecutable(script)) { try Command([script]) }
    #expect(throws: GateError.commandNotFound("", inPath: true)) { try Command([""]) }
}

@Test("a relative path becomes absolute, so that it survives a change of folder")
func relative() throws {
    let here = FileManager.default.currentDirectoryPath
    #expect(Files.absolute("./a/../b") == here + "/b")
    #expect(Files.absolute("/a/./b") == "/a/b")
}
