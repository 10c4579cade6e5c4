import Facts
import Loop
import Support
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

@testable import Evidence

@Test("many threads at once leave whole lines, and each names the one before")
func chainUnderConcurrency() async throws {
    let folder = try TemporaryFolder()
    let writer = try SimpleLines.writer(folder.path + "/evidence.jsonl")
    await withTaskGroup(of: Void.self) { tasks in
        for thread in 0..<8 {
            tasks.addTask {
                for number in 0..<50 {
                    writer.append(.connection(Observation(connection: UInt64(thread * 50 + number))))
                }
            }
        }
    }
    writer.close()
    let lines = try folder.text("evidence.jsonl").split(separator: "\n").map(String.init)
    #expect(lines.count == 400)
    var previous = EvidenceLine.noPrevious
    for line in lines {
        #expect(line == "\(previous) connection")
        previous = SimpleLines.hash(Array(line.utf8))
    }
    #expect(writer.records.count == 400)
    #expect(writer.fault == nil)
}

@Test("every line is on disk before append returns, so a kill leaves all of them")
func flushedPerLine() throws {
    let folder = try TemporaryFolder()
    let writer = try SimpleLines.writer(folder.path + "/evidence.jsonl")
    for count in 1...3 {
        writer.append(.header(sampleHeader()))
        // Read through another descriptor: nothing of it may still lie in a buffer of ours.
        #expect(try folder.text("evidence.jsonl").split(separator: "\n").count == count)
        #expect(try folder.text("evidence.jsonl").hasSuffix("\n"))
    }
}

@Test("evidence never goes into a file that exists")
func refusesExisting() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/evidence.jsonl"
    let first = try SimpleLines.writer(path)
    first.append(.header(sampleHeader()))
    #expect(throws: FileError.cannotWrite(path: path, reason: "file exists")) { try SimpleLines.writer(path) }
    #expect(try folder.text("evidence.jsonl").isEmpty == false)
}

#if os(Linux)
    @Test("a full disk is a fault that stays, and nothing is written or remembered after it")
    func fullDisk() throws {
        let writer = try EvidenceWriter(
            appendingTo: "/dev/full", encode: SimpleLines.encode, hash: SimpleLines.hash)
        #expect(writer.fault == nil)
        writer.append(.header(sampleHeader()))
        #expect(writer.fault == "/dev/full: cannot write: no space left on device")
        writer.append(.header(sampleHeader()))
        #expect(writer.records.isEmpty)
    }
#endif

@Test("a record that cannot be encoded is a fault, not a gap")
func encodingFault() throws {
    struct Unwritable: Error {}
    let folder = try TemporaryFolder()
    let writer = try EvidenceWriter(
        path: folder.path + "/e", encode: { _, _ in throw Unwritable() }, hash: SimpleLines.hash)
    writer.append(.header(sampleHeader()))
    #expect(writer.fault != nil)
    #expect(try folder.text("e").isEmpty)
}

@Test("after close nothing is added")
func closed() throws {
    let folder = try TemporaryFolder()
    let writer = try SimpleLines.writer(folder.path + "/e")
    writer.append(.header(sampleHeader()))
    writer.close()
    writer.append(.header(sampleHeader()))
    writer.close()
    #expect(try folder.text("e").split(separator: "\n").count == 1)
    #expect(writer.fault == nil)
}

@Test("a log of the debugging proxy keeps the older one once, and does not grow in memory")
func rotated() throws {
    let folder = try TemporaryFolder()
    for run in 1...3 {
        let writer = try EvidenceWriter(log: folder.path + "/log")
        for _ in 0..<run { writer.append(.header(sampleHeader())) }
        #expect(writer.records.isEmpty)
        writer.close()
    }
    #expect(try folder.names() == ["log", "log.1"])
    #expect(try folder.text("log").split(separator: "\n").count == 3)
    #expect(try folder.text("log.1").split(separator: "\n").count == 2)
    #expect(throws: FileError.cannotWrite(path: folder.path, reason: "it is a folder")) {
        try EvidenceWriter(log: folder.path)
    }
}

@Test("a log never goes through a link, and what is no older log is not put aside")
func linkedLog() throws {
    let folder = try TemporaryFolder()
    let target = folder.path + "/target"
    let link = folder.path + "/link"
    try Data("mine".utf8).write(to: URL(filePath: target))
    for destination in [target, folder.path + "/nothing"] {
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
        let reason = "it is a symbolic link; name the file that it leads to"
        #expect(throws: FileError.cannotWrite(path: link, reason: reason)) { try EvidenceWriter(log: link) }
        try FileManager.default.removeItem(atPath: link)
    }
    #expect(try folder.names() == ["target"])
    #expect(try folder.text("target") == "mine")

    try FileManager.default.createDirectory(atPath: target + ".1/kept", withIntermediateDirectories: true)
    #expect(throws: FileError.self) { try EvidenceWriter(log: target) }
    #expect(try folder.names("target.1") == ["kept"])
}

@Test("a file that is no evidence is neither put aside nor replaced")
func foreignLog() throws {
    let folder = try TemporaryFolder()
    let reason = "this file is no evidence of pinproof's, and is left as it is; name another"
    let thesis = try folder.write("thesis", Array("years of work\n".utf8))
    #expect(throws: FileError.cannotWrite(path: thesis, reason: reason)) { try EvidenceWriter(log: thesis) }
    // An empty file is nobody's loss; what would have to go for it may be one.
    let empty = try folder.write("empty", [UInt8]())
    let older = try folder.write("empty.1", Array("years of work\n".utf8))
    #expect(throws: FileError.cannotWrite(path: older, reason: reason)) { try EvidenceWriter(log: empty) }
    #expect(try folder.names() == ["empty", "empty.1", "thesis"])
    // One that was cut short at its beginning or at its end, and of another version, is ours all the same.
    for line in [#"{"kind":"connection","prev":"#, #"{"kind":"header","prev":"0","schema":"pinproof.evidence/9"}"#] {
        let log = try folder.write("log", Array(line.utf8))
        try EvidenceWriter(log: log).close()
        #expect(try folder.text("log.1") == line)
    }
    #expect(try folder.text("thesis") == "years of work\n")
}

@Test("a device is written to, and so are the process's own streams", arguments: ["/dev/null", "/dev/stderr"])
func streamedLog(path: String) throws {
    let writer = try EvidenceWriter(log: path, encode: { _, _ in [] })
    writer.append(.header(sampleHeader()))
    writer.close()
    #expect(writer.fault == nil)
    #expect(Files.exists(path))
}

@Test("a pipe that nobody reads is an error, and one that is not read any more holds nobody up")
func unreadPipe() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    _ = try await Command.run("/usr/bin/mkfifo", [path])
    let reason = "nobody reads this pipe; start its reader first"
    #expect(throws: FileError.cannotWrite(path: path, reason: reason)) { try EvidenceWriter(log: path) }

    _ = try FileDescriptor.open(FilePath(path), .readOnly, options: .nonBlocking)
    let writer = try EvidenceWriter(log: path) { _, _ in [UInt8](repeating: 0x61, count: 100_000) }
    // Far more than a pipe takes, and than is kept for its reader; which stays open, or the process would hear of it.
    for _ in 0..<300 { writer.append(.header(sampleHeader())) }
    #expect(writer.fault == "\(path): cannot write: its reader does not keep up")
    writer.close()
}

@Test("a file that is a device is written to, and not replaced")
func deviceInPlaceOfFile() throws {
    try Files.writeAtomically("text".utf8, to: "/dev/null")
    #expect(Files.kind("/dev/null") == .stream)
    #if os(Linux)
        #expect(throws: FileError.cannotWrite(path: "/dev/full", reason: "no space left on device")) {
            try Files.writeAtomically("text".utf8, to: "/dev/full")
        }
        #expect(Files.kind("/dev/full") == .stream)
    #endif
}

@Test("a fault noted from elsewhere stops the writing")
func failedElsewhere() throws {
    let folder = try TemporaryFolder()
    let writer = try EvidenceWriter(path: folder.path + "/e")
    writer.fail("presented/x.pem: cannot write")
    writer.fail("another")
    writer.append(.header(sampleHeader()))
    #expect(writer.fault == "presented/x.pem: cannot write")
    #expect(try folder.text("e").isEmpty)
}

@Test("a file that is taken away, replaced or changed while it is written is a fault")
func tamperedWith() throws {
    func fault(_ change: (String) throws -> Void) throws -> String? {
        let folder = try TemporaryFolder()
        let path = folder.path + "/e"
        let writer = try SimpleLines.writer(path)
        for _ in 1...3 { writer.append(.header(sampleHeader())) }
        writer.check()
        #expect(writer.fault == nil)
        try change(path)
        writer.append(.header(sampleHeader()))
        writer.close()
        return writer.fault
    }
    #expect(try fault { _ in } == nil)
    let manager = FileManager.default
    let changes: [(String) throws -> Void] = [
        { try manager.removeItem(atPath: $0) },
        { try manager.moveItem(atPath: $0, toPath: $0 + ".old") },
        { path in
            let text = try Data(contentsOf: URL(filePath: path))
            try manager.removeItem(atPath: path)
            try text.write(to: URL(filePath: path))
        },
        { try FileDescriptor.open(FilePath($0), .writeOnly, options: .truncate).close() },
    ]
    for change in changes {
        #expect(try fault(change)?.contains("it was removed, replaced or changed") == true)
    }
}
