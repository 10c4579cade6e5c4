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

@Suite struct FirstLineTests {
    private func line(_ text: String) -> FirstLine? { FirstLine(Array(text.utf8)) }

    @Test("the program of a first line is what follows #!, and text without one has none")
    func programs() {
        #expect(line("#!/bin/sh\necho")?.program == "/bin/sh")
        #expect(line("#! /usr/bin/env python3\n")?.program == "/usr/bin/env")
        #expect(line("#!/bin/sh\r\necho\r\n")?.program == "/bin/sh\r")
        #expect(line("echo hi\n").map(\.program) == .some(nil))
        // Empty, or no text: the system decides.
        #expect(line("") == nil && line("#!\n") == nil && line("\u{7F}ELF\u{2}\n") == nil && line("\u{0}") == nil)
    }

    @Test("a script that cannot run is told before the first trial, with what is wrong with it")
    func scripts() throws {
        let folder = try TemporaryFolder()
        func command(_ text: String) throws -> Command {
            let path = try folder.script("run", "exit 0")
            try Data(text.utf8).write(to: URL(filePath: path))
            return try Command([path])
        }
        let path = folder.path + "/run"
        #expect(throws: GateError.interpreterNotFound(path, program: "/no/such/sh")) { try command("#!/no/such/sh\n") }
        #expect(throws: GateError.interpreterNotFound(path, program: "/bin/sh\r")) { try command("#!/bin/sh\r\n") }
        #expect(throws: GateError.commandWithoutInterpreter(path)) { try command("exit 0\n") }
        #expect(try command("#!/bin/sh\nexit 0\n").path == path)
    }
}

@Test("an empty argument is doubted: most often it was a variable that only COMMAND has")
func emptyArgument() throws {
    #expect(try Command(["sh", "-c", "true"]).doubt == nil)
    #expect(try Command(["sh", "-c", "true", ""]).doubt?.contains("put COMMAND into a script") == true)
}
