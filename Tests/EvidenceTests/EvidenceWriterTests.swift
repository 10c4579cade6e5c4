import Facts
import Testing

@testable import Gate

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
    #expect(throws: GateError.cannotWrite(path: path, reason: "file exists")) { try SimpleLines.writer(path) }
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
    #expect(throws: GateError.cannotWrite(path: folder.path, reason: "it is a folder")) {
        try EvidenceWriter(log: folder.path)
    }
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
