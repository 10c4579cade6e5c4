import Foundation
import Loop
import Support
import Testing

@testable import Evidence

@Suite("copies of folders")
struct FolderCopyTests {
    private let parent: TemporaryFolder
    init() throws {
        parent = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: parent.path + "/state/a/b/c", withIntermediateDirectories: true)
        for name in ["one", "a/two", "a/b/three"] {
            try Data(repeating: 7, count: 1000).write(to: URL(filePath: parent.path + "/state/" + name))
        }
    }

    private func copied(_ change: (inout Files.CopyBudget) -> Void) throws(FileError) {
        var budget = Files.CopyBudget()
        change(&budget)
        try Files.copyFolder(parent.path + "/state", to: parent.path + "/copy", &budget)
    }

    @Test("what is within the limits is copied whole")
    func whole() throws {
        try copied { ($0.bytes, $0.entries, $0.depth) = (3000, 6, 4) }
        #expect(try parent.names("copy/a/b") == ["c", "three"])
        #expect(try Data(contentsOf: URL(filePath: parent.path + "/copy/a/two")).count == 1000)
    }

    @Test(
        "an app that fills its folder fills neither the disk nor the time of a start",
        arguments: [(2999, 6, 4, "too much"), (3000, 5, 4, "too many files"), (3000, 6, 3, "too deep")])
    func beyond(bytes: Int, entries: Int, depth: Int, word: String) throws {
        let error = #expect(throws: FileError.self) {
            try copied { ($0.bytes, $0.entries, $0.depth) = (bytes, entries, depth) }
        }
        guard case .cannotWrite(_, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(word), "\(reason)")
    }

    @Test(
        "a file with holes has them in its copy, which takes no more room and no more of the limit",
        arguments: [0, 1, 2])
    func holes(pieces: Int) throws {
        let path = parent.path + "/state/data.mdb"
        try Data().write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: 16 << 30)
        for piece in 0..<pieces {
            try file.seek(toOffset: UInt64(piece) << 33 + 12_345)
            try file.write(contentsOf: Data("piece \(piece)".utf8))
        }
        try file.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: path)
        // Blocks around each piece.
        try copied { $0.bytes = 3000 + pieces << 16 }
        let copy = parent.path + "/copy/data.mdb"
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.size] as? Int == 16 << 30)
        #expect(attributes[.posixPermissions] as? Int == 0o440)
        let read = try FileHandle(forReadingFrom: URL(filePath: copy))
        for piece in 0..<pieces {
            try read.seek(toOffset: UInt64(piece) << 33 + 12_344)
            #expect(try read.read(upToCount: 9) == Data([0]) + Data("piece \(piece)".utf8) + Data([0]))
        }
        try read.close()
    }

    @Test(
        "a copy has the modes and times of what it is of, folders and links as well, and their owners where that is allowed"
    )
    func likeness() throws {
        let state = parent.path + "/state"
        try FileManager.default.createSymbolicLink(atPath: state + "/link", withDestinationPath: "one")
        let entries = ["one": 0o640, "a/two": 0o400, "a": 0o750, "a/b": 0o500]
        for (name, mode) in entries {
            let attributes: [FileAttributeKey: Any] = [
                .posixPermissions: mode, .modificationDate: Date(timeIntervalSince1970: 1_500_000_000),
            ]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: state + "/" + name)
        }
        // Root alone may, and not in every container.
        let isGiven =
            (try? FileManager.default.setAttributes([.ownerAccountID: 4711], ofItemAtPath: state + "/a/two")) != nil
        let link = try FileStatus(of: state + "/link", followingLinks: false)
        try copied { _ in }
        for (name, mode) in entries {
            let status = try FileStatus(of: parent.path + "/copy/" + name)
            #expect(status.mode == mode && status.modified == 1_500_000_000, "\(name) \(status)")
        }
        let copied = try FileStatus(of: parent.path + "/copy/link", followingLinks: false)
        #expect(copied.kind == .link && copied.modified == link.modified)
        if isGiven { #expect(try FileStatus(of: parent.path + "/copy/a/two").owner == 4711) }
        for name in ["state/a/b", "copy/a/b"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(parent.path)/\(name)")
        }
    }

    @Test("a name that is no text is no reason to leave its file out without a word")
    func illegalName() throws {
        let name = Array((parent.path + "/state/v").utf8) + [0xe9, 0]
        let file = unsafe name.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
            unsafe creat($0.baseAddress!, 0o600)
        }
        guard file >= 0 else { return }  // Some file systems take none.
        close(file)
        let error = #expect(throws: FileError.self) { try copied { _ in } }
        #expect("\(String(describing: error))".contains("no UTF-8"))
    }
}
