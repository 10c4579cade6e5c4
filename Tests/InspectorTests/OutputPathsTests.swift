import Foundation
import Support
import Testing

@testable import Inspector

struct OutputPathsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func complaint(_ outputs: [(String, String)], beside: [String] = []) -> OutputPathError? {
        var paths = OutputPaths()
        for (option, path) in outputs { paths.add(option, path, beside: beside) }
        do throws(OutputPathError) { try paths.requireDifferent() } catch { return error }
        return nil
    }

    @Test("one file that two options name is refused with the names of both, whatever it is called")
    func same() throws {
        let file = folder.path + "/a"
        #expect(complaint([("--store", file), ("--evidence", folder.path + "/b")]) == nil)
        let other = folder.path + "/./x/../a"
        #expect(complaint([("--store", file), ("--evidence", other)]) == .same("--store", "--evidence", path: other))
        _ = try folder.write("a", Array("x".utf8))
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        #expect(complaint([("--pcapng", file), ("--keylog", link)]) != nil)
        try FileManager.default.linkItem(atPath: file, toPath: folder.path + "/second")
        #expect(complaint([("--pcapng", file), ("--keylog", folder.path + "/second")]) != nil)
        let parent = folder.path + "/parent"
        try FileManager.default.createSymbolicLink(atPath: parent, withDestinationPath: folder.path)
        #expect(complaint([("--pcapng", folder.path + "/new"), ("--keylog", parent + "/new")]) != nil)
    }

    @Test("what is written beside a file is a file of its own, too; a device may take what several write")
    func beside() {
        let file = folder.path + "/a"
        #expect(complaint([("--evidence", file), ("--keylog", file + ".1")], beside: [".1"]) != nil)
        #expect(complaint([("--evidence", "/dev/null"), ("--ready-file", "/dev/null")]) == nil)
        #expect(complaint([("--evidence", "/dev/stderr"), ("--ready-file", "/dev/stderr")]) == nil)
    }

    @Test("the complaint says which options and which file, and what to do")
    func words() {
        let error = OutputPathError.same("--store", "--evidence", path: "a.db")
        #expect(
            error.explanations.map(\.message) == [
                "--evidence a.db: --store needs the same file, or one that is written beside it"
            ])
        #expect(error.cause == .commandLine)
        #expect(OutputPathError.noFolder("--store", folder: "x").cause == .configuration)
        #expect(OutputPathError.noFolder("--keylog", folder: "x").cause == .environment)
    }

    @Test("a folder that is not there is no place for a file, unless it is the data folder")
    func folders() throws {
        var paths = OutputPaths()
        paths.add("--store", folder.path + "/nope/flows.db")
        #expect(throws: OutputPathError.noFolder("--store", folder: folder.path + "/nope")) {
            try paths.requireFolders(except: nil)
        }
        try paths.requireFolders(except: folder.path + "/nope")
        var read = OutputPaths()
        read.add("the profile", folder.path + "/nope/p.yaml", isWritten: false)
        try read.requireFolders(except: nil)
        #expect(try folder.names().isEmpty)
    }
}
