import Facts
import Foundation
import Loop
import Support
import Testing

@testable import Inspector

@Suite("a capture on disk", .timeLimit(.minutes(15)))
struct PacketLogTests {
    let folder: TemporaryFolder
    let path: String
    let told = Locked<[String]>([])
    let client: SocketAddress
    let proxy: SocketAddress

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/packets.pcapng"
        client = SocketAddress(try #require(IPAddress("127.0.0.1")), 50_000)
        proxy = SocketAddress(try #require(IPAddress("127.0.0.1")), 40_000)
    }

    private func open() throws -> PacketLog {
        try PacketLog(path) { [told] text in told.withLock { $0.append(text) } }
    }

    /// The types of its blocks; nil where one of them is not whole.
    private func types(_ bytes: [UInt8]) -> [Int]? {
        var (at, types) = (0, [Int]())
        func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        while at < bytes.count {
            guard at + 12 <= bytes.count, number(at + 4) >= 12, at + number(at + 4) <= bytes.count,
                number(at + number(at + 4) - 4) == number(at + 4)
            else { return nil }
            types.append(number(at) & 0xffff)
            at += number(at + 4)
        }
        return types
    }

    @Test("secrets that bytes lead to stand before them, in a file for its owner alone")
    func order() throws {
        let log = try open()
        let stream = try #require(log.accepted(from: client, at: proxy))
        stream.received([0x16, 3, 1].span)
        log.add(secret: Array("CLIENT_RANDOM aa bb".utf8))
        stream.sent([0x16, 3, 3].span)
        stream.settled()
        stream.peerEnded()
        stream.closed(byReset: false)
        stream.closed(byReset: true)
        log.close()
        #expect(log.accepted(from: client, at: proxy) == nil)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        // Section, interface, handshake; secrets, two packets; two ends, each heard; statistics.
        #expect(types(bytes) == [0x0d0a, 1, 6, 6, 6, 10, 6, 6, 6, 6, 6, 6, 5])
        #expect(try mode(of: path) == 0o600 && told.withLock { $0 }.isEmpty && log.dropped == PacketLog.Dropped())
    }

    @Test("a capture of before is replaced; what is none is left alone, and so are links and folders")
    func places() throws {
        for _ in 0..<2 { try open().close() }
        #expect(try types([UInt8](Data(contentsOf: URL(filePath: path)))) == [0x0d0a, 1, 5])
        for kind in ["file", "link", "folder"] {
            try FileManager.default.removeItem(atPath: path)
            switch kind {
            case "file": _ = try folder.write("packets.pcapng", Array("my notes".utf8))
            case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other")
            default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            #expect(throws: (any Error).self, "\(kind)") { try open() }
        }
    }

    @Test("what was captured before comes back where nothing is captured after all, and two do not share a file")
    func giveBack() throws {
        let log = try open()
        #expect(throws: (any Error).self) { try open() }
        log.keep()
        log.close()
        let before = try Data(contentsOf: URL(filePath: path))
        let second = try open()
        second.close()
        second.giveBack()
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        let third = try open()
        third.keep()
        third.close()
        #expect(!FileManager.default.fileExists(atPath: path + ".previous"))
        _ = try folder.write("packets.pcapng.previous", Array("my notes".utf8))
        #expect(throws: CaptureFileError.self) { try open() }
    }

    @Test("a disk that fails ends the capture with one message, and no connection hears of it")
    func failing() throws {
        let writes = Locked(0)
        let log = try PacketLog("packets.pcapng", tell: { [told] text in told.withLock { $0.append(text) } }) {
            _ throws(SystemError) in
            writes.withLock { $0 += 1 }
            throw SystemError("write", ENOSPC)
        }
        for _ in 0..<100 {
            guard let stream = log.accepted(from: client, at: proxy) else { continue }
            stream.sent([1, 2, 3].span)
            stream.closed(byReset: true)
        }
        log.close()
        #expect(writes.withLock { $0 } == 1)
        let all = told.withLock { $0 }
        #expect(all.count == 1 && all.first?.hasPrefix("packets.pcapng: cannot write packets: ") == true)
    }

    @Test("what a stuck disk does not take is bounded and counted, and what follows says how much is missing")
    func stuck() throws {
        let (gate, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let written = Locked<[UInt8]>([])
        let log = try PacketLog("packets.pcapng", tell: { _ in }) { bytes throws(SystemError) in
            begun.signal()
            gate.wait()
            written.withLock { $0 += bytes }
        }
        // It writes the file's beginning: nothing is taken from the queue from here on.
        begun.wait()
        let stream = try #require(log.accepted(from: client, at: proxy))
        let piece = [UInt8](repeating: 0x61, count: 1024 * 1024)
        // Twice as much as may wait, and what was being written meanwhile.
        for _ in 0..<(3 * PacketLog.limit / piece.count) { stream.sent(piece.span) }
        let dropped = log.dropped.bytes
        #expect(dropped >= PacketLog.limit && dropped % piece.count == 0)
        for _ in 0..<10_000 { gate.signal() }
        stream.closed(byReset: false)
        log.close()
        let bytes = written.withLock { $0 }
        #expect(types(bytes) != nil && bytes.count <= 3 * PacketLog.limit - dropped + 1024 * 1024)
        #expect(String(decoding: bytes, as: UTF8.self).contains("\(dropped) bytes before this packet are missing"))
    }
}
