import Foundation
import Loop
import Support
import Testing

@testable import Inspector

@Suite("a key log on disk", .timeLimit(.minutes(15)))
struct KeyLogFileTests {
    let folder: TemporaryFolder
    let path: String
    let told = Locked<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/keys.log"
    }

    private func open() throws -> KeyLogFile {
        try KeyLogFile(path) { [told] text in told.withLock { $0.append(text) } }
    }

    @Test("lines of many threads are whole, one below the other, in a file for its owner alone, which is appended to")
    func lines() throws {
        for run in 0..<2 {
            let log = try open()
            DispatchQueue.concurrentPerform(iterations: 64) { index in
                log.add(Array("CLIENT_RANDOM \(run)-\(index) aa".utf8))
            }
            log.close()
            log.add(Array("too late".utf8))
            log.close()
        }
        let lines = try folder.text("keys.log").split(separator: "\n").map(String.init).sorted()
        #expect(lines == (0..<2).flatMap { run in (0..<64).map { "CLIENT_RANDOM \(run)-\($0) aa" } }.sorted())
        #expect(try folder.text("keys.log").hasSuffix("\n"))
        #expect(try mode(of: path) == 0o600 && told.withLock { $0 }.isEmpty)
    }

    @Test("a file that others can read, a link and a folder are refused", arguments: ["file", "link", "folder"])
    func refused(kind: String) throws {
        switch kind {
        case "file": _ = try folder.write("keys.log", [], mode: 0o644)
        case "link":
            _ = try folder.write("other", [])
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other")
        default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        #expect(throws: (any Error).self) { try open() }
    }

    @Test("a disk that fails is told once, and nobody waits for it or hears of it again")
    func failing() throws {
        let writes = Locked(0)
        let log = KeyLogFile("keys.log", tell: { [told] text in told.withLock { $0.append(text) } }) {
            _ throws(SystemError) in
            writes.withLock { $0 += 1 }
            throw SystemError("write", ENOSPC)
        }
        for index in 0..<100 { log.add(Array("line \(index)".utf8)) }
        log.close()
        log.add(Array("more".utf8))
        log.close()
        #expect(writes.withLock { $0 } == 1)
        let all = told.withLock { $0 }
        #expect(all.count == 1 && all.first?.hasPrefix("keys.log: cannot write the key log: ") == true)
    }

    @Test("what a stuck disk does not take is bounded, and what is left out is told once")
    func stuck() throws {
        let gate = DispatchSemaphore(value: 0)
        let written = Locked(0)
        let log = KeyLogFile("keys.log", tell: { [told] text in told.withLock { $0.append(text) } }) {
            bytes throws(SystemError) in
            gate.wait()
            written.withLock { $0 += bytes.count }
        }
        let line = [UInt8](repeating: 0x61, count: 64 * 1024 - 1)
        for _ in 0..<1000 { log.add(line) }
        for _ in 0..<10 { gate.signal() }
        log.close()
        // What waits, and what was being written when the disk got stuck.
        #expect(written.withLock { $0 } <= 2 * KeyLogFile.waitingLimit)
        #expect(told.withLock { $0.count } == 1)
    }
}
