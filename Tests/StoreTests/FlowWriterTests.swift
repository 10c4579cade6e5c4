import Facts
import Flows
import Foundation
import Loop
import Support
import Testing

@testable import Store

@Suite struct FlowWriterTests {
    @Test("a flow comes back with everything that it can have")
    func roundTrip() throws {
        let test = try StoreUnderTest()
        var flow = Samples.everything(1)
        let (up, down) = (Array("a=1".utf8), [UInt8](0...255))
        flow.request?.body = Samples.body(up, type: "text/plain")
        flow.response?.body = Samples.body(down, encoding: "gzip")
        let messages = [
            FlowMessage(index: 0, atMS: 1.5, ExchangeMessage(from: .up, .text, [1, 2, 3])),
            FlowMessage(index: 1, atMS: 2, ExchangeMessage(from: .down, .close, [], size: 9, isCut: true)),
        ]
        test.writer.record([
            .flow(flow), .body(flow: 1, .up, up), .body(flow: 1, .down, down), .raw(flow: 1, .up, [1]),
            .raw(flow: 1, .down, [2, 3]), .raw(flow: 1, .up, [4]),
        ])
        test.record(.message(flow: 1, messages[0]), .message(flow: 1, messages[1]))
        let store = test.store
        #expect(try store.flow(1) == flow)
        #expect(try store.body(of: 1, .up) == up)
        #expect(try store.body(of: 1, .down) == down)
        #expect(try store.messages(of: 1) == messages)
        #expect(try store.messagePage(of: 1, after: 0, limit: 9, bytes: 9).messages == [messages[1]])
        #expect(try store.messagePage(of: 1, limit: 1, bytes: 9) == MessagePage(messages: [messages[0]], next: 0))
        #expect(try store.raw(of: 1, .up) == [1, 4])
        #expect(try store.raw(of: 1, .down) == [2, 3])
        #expect(try store.flow(2) == nil)
        #expect(test.writer.dropped.isEmpty)
        test.close()
    }

    @Test("a flow that is open can be read with what has come so far")
    func live() throws {
        let test = try StoreUnderTest()
        let reader = try FlowStore.reader(path: test.path)
        var flow = Samples.flow(1)
        flow.state = .open
        flow.response?.body = FlowBody(size: 3, kept: 3)
        test.record(.flow(flow), .body(flow: 1, .down, [1, 2, 3]))
        #expect(try reader.flow(1)?.state == .open)
        #expect(try reader.body(of: 1, .down) == [1, 2, 3])
        test.record(.body(flow: 1, .down, [4]))
        #expect(try reader.body(of: 1, .down) == [1, 2, 3, 4])
        flow.state = .complete
        flow.response?.body = Samples.body([1, 2, 3, 4])
        test.record(.flow(flow))
        #expect(try reader.flow(1) == flow)
        #expect(try reader.body(of: 1, .down) == [1, 2, 3, 4])
        reader.close()
        test.close()
    }

    @Test("a body is kept once, however many flows have it and however it came")
    func once() throws {
        let test = try StoreUnderTest()
        let bytes = (0..<1000).flatMap { _ in Array("0123456789".utf8) }
        let large = [UInt8](repeating: 7, count: BodyShelf.pieceSize * 2 + 5)
        for id in Int64(1)...6 {
            var flow = Samples.flow(id)
            flow.state = .open
            test.writer.record([
                .flow(flow), .body(flow: id, .up, large), .body(flow: id, .down, Array(bytes[..<5000])),
            ])
            if id.isMultiple(of: 2) { test.writer.flush() }
            flow.state = .complete
            flow.request?.body = Samples.body(large)
            flow.response?.body = Samples.body(bytes)
            test.record(.body(flow: id, .down, Array(bytes[5000...])), .flow(flow))
        }
        let count = { (table: String) in
            try test.store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
        }
        #expect(try count("body") == 2)
        #expect(try count("piece") <= 4)
        for id in Int64(1)...6 {
            #expect(try test.store.body(of: id, .down) == bytes)
            #expect(try test.store.body(of: id, .up) == large)
        }
        #expect(try test.store.delete(matching: Samples.filter("id:1..5")) == 5)
        #expect(try test.store.body(of: 6, .down) == bytes)
        #expect(try test.store.delete() == 1)
        #expect(try count("body") == 0)
        #expect(try count("piece") == 0)
        test.close()
    }

    @Test("a body of which the beginning alone is kept is not taken for the whole")
    func beginnings() throws {
        let test = try StoreUnderTest()
        let bytes = Array("0123456789".utf8)
        var flow = Samples.flow(1)
        flow.response?.body = Samples.body(bytes)
        test.record(.body(flow: 1, .down, bytes), .flow(flow))
        // In the same batch nothing is known of it yet: bytes come first.
        #expect(try test.store.body(of: 1, .down) == bytes)
        flow = Samples.flow(2)
        flow.response?.body = Samples.body(bytes)
        flow.response?.body?.kept = 4
        test.record(.flow(flow), .body(flow: 2, .down, Array(bytes.prefix(4))))
        #expect(try test.store.body(of: 2, .down) == Array("0123".utf8))
        #expect(try test.store.flow(2)?.response?.body?.isCut == true)
        test.close()
    }

    /// 4 KiB of it are one header field.
    private static func large(_ id: Int64) -> Flow {
        var flow = Samples.flow(id)
        flow.request?.headers.append(HeaderField("x", Self.long))
        return flow
    }

    private static let long = String(repeating: "x", count: 4096)

    @Test("while the writer stands still nobody waits: bodies are left out first, flows last, and all is counted")
    func overload() throws {
        let gate = Gate()
        let test = try StoreUnderTest(gate: gate.pass)
        test.record(.flow(Samples.flow(1)))
        gate.shut()
        // It takes this, and nothing of what comes after it: how much would depend on when it wakes.
        test.writer.record([.flow(Samples.flow(1))])
        gate.waitForSomebody()
        let megabyte = [UInt8](repeating: 1, count: 1 << 20)
        var flow = Samples.flow(2)
        flow.response?.body = FlowBody(size: 100 << 20, sha256: "aa", kept: 100 << 20)
        for _ in 0..<100 {
            test.writer.record([.body(flow: 2, .down, [UInt8](repeating: 1, count: 1 << 20))])
        }
        let message = FlowMessage(index: 0, atMS: 0, ExchangeMessage(from: .up, .text, megabyte))
        test.writer.record([.flow(flow), .message(flow: 2, message)])
        for id in Int64(3)...20_000 { test.writer.record([.flow(Self.large(id))]) }
        let dropped = test.writer.dropped
        gate.open()
        test.writer.flush()
        let store = test.store
        #expect(dropped.bytes >= 4 << 20)
        #expect(dropped.messages == 1)
        #expect(dropped.flows > 0)
        #expect(try store.count() + dropped.flows == 20_000)
        let kept = try store.body(of: 2, .down).count
        let body = try store.flow(2)?.response?.body
        #expect(body?.kept == kept)
        #expect(body?.shed == (100 << 20) - kept)
        #expect(body?.sha256 == nil)
        #expect(try store.messages(of: 2).first?.message.isCut == true)
        #expect(try store.messages(of: 2).first?.message.size == 1 << 20)
        // It has recovered.
        test.record(.flow(Samples.flow(70_000)))
        #expect(try store.flow(70_000) != nil)
        test.close()
    }

    @Test("a new flow and its bytes are one batch, however large they are")
    func largeBodies() throws {
        let test = try StoreUnderTest()
        let large = [UInt8](repeating: 7, count: ChangeQueue.worthWriting + 1)
        for id in Int64(1)...12 {
            let bytes = id % 2 == 0 ? large + [UInt8(id)] : Array(large.prefix(1000 * Int(id)))
            var flow = Samples.flow(id)
            flow.request?.body = Samples.body(bytes)
            flow.response?.body = Samples.body(bytes)
            test.writer.record([.body(flow: id, .up, bytes), .body(flow: id, .down, bytes), .flow(flow)])
        }
        test.writer.flush()
        #expect(test.writer.dropped.isEmpty)
        for id in Int64(1)...12 {
            let size = id % 2 == 0 ? large.count + 1 : 1000 * Int(id)
            #expect(try test.store.body(of: id, .up).count == size && test.store.body(of: id, .down).count == size)
        }
        test.close()
    }

    @Test("a body that many flows have, and that lies in memory once, takes room once")
    func sharedBodies() throws {
        let gate = Gate()
        let test = try StoreUnderTest(gate: gate.pass)
        test.record(.flow(Samples.flow(1)))
        gate.shut()
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        for id in Int64(2)...200 {
            var flow = Samples.flow(id)
            flow.response?.body = Samples.body(bytes)
            test.writer.record([.body(flow: id, .down, bytes), .flow(flow)])
        }
        #expect(test.writer.dropped.isEmpty)
        gate.open()
        test.writer.flush()
        #expect(try test.store.count() == 200 && test.store.body(of: 200, .down) == bytes)
        test.close()
    }

    @Test("who does not want to wait for long is told that not everything is written")
    func patience() throws {
        let gate = Gate()
        let test = try StoreUnderTest(gate: gate.pass)
        gate.shut()
        test.writer.record([.flow(Samples.flow(1))])
        #expect(!test.writer.flush(seconds: 0.01))
        gate.open()
        #expect(test.writer.flush(seconds: 60))
        #expect(try test.store.flow(1) != nil)
        test.close()
    }

    @Test("a flow whose end was left out is not open for ever")
    func lostEnd() throws {
        let gate = Gate()
        let test = try StoreUnderTest(gate: gate.pass)
        var flow = Self.large(1)
        flow.state = .open
        test.record(.flow(flow))
        gate.shut()
        for id in Int64(3)...20_000 { test.writer.record([.flow(Self.large(id))]) }
        flow.state = .complete
        test.writer.record([.flow(flow)])
        gate.open()
        test.writer.flush()
        #expect(try test.store.flow(1)?.state == .aborted)
        #expect(try test.store.flow(1)?.tags == [BatchWriter.incompleteTag])
        test.close()
    }

    @Test("a full disk stops the recording, is told once, and what is there can be read")
    func fullDisk() throws {
        let told = Locked<[StoreError]>([])
        let test = try StoreUnderTest(onFault: { fault in told.withLock { $0.append(fault) } })
        test.record(.flow(Samples.flow(1)))
        test.writer.settle()
        try test.store.pool.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 10)")
        }
        for id in Int64(2)...20 {
            test.record(.body(flow: id, .up, [UInt8](repeating: 3, count: 50_000)), .flow(Samples.flow(id)))
        }
        test.record(.flow(Samples.flow(21)))
        let fault = StoreError.full(path: test.path)
        #expect(test.writer.fault == fault)
        #expect(told.withLock { $0 } == [fault])
        #expect(fault.explanations.first?.message == "\(test.path): no space left on the disk")
        #expect(test.writer.dropped.flows > 0)
        #expect(try test.store.flow(1) == Samples.flow(1))
        test.close()
    }

    @Test("what was committed survives a process that dies, and a flow that it left open is ended")
    func killed() throws {
        let test = try StoreUnderTest()
        var flow = Samples.flow(2)
        flow.state = .open
        flow.response?.body = FlowBody(size: 100, kept: 100)
        test.record(.flow(Samples.flow(1)), .flow(flow), .body(flow: 2, .down, [1, 2, 3]))
        // As the disk is at this moment: file and log, in the middle of it.
        let copy = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: copy.path + "/data", withIntermediateDirectories: true)
        for name in ["flows.db", "flows.db-wal"] {
            try FileManager.default.copyItem(
                atPath: test.folder.path + "/data/" + name, toPath: copy.path + "/data/" + name)
        }
        let next = try StoreUnderTest(copy)
        #expect(try next.store.flow(1) == Samples.flow(1))
        let ended = try #require(try next.store.flow(2))
        #expect(ended.state == .aborted)
        #expect(ended.tags == ["recording-incomplete"])
        #expect(ended.response?.body == FlowBody(size: 100, kept: 3, shed: 97))
        #expect(try next.store.body(of: 2, .down) == [1, 2, 3])
        #expect(next.writer.nextID() == 3)
        next.close()
        test.close()
    }

    @Test("a log that breaks off in the middle costs the end of it, and nothing else")
    func torn() throws {
        let test = try StoreUnderTest()
        for id in Int64(1)...20 { test.record(.flow(Samples.flow(id))) }
        let log = try Data(contentsOf: URL(filePath: test.path + "-wal"))
        for part in [log.count / 3, log.count / 2, log.count - 1] {
            let copy = try TemporaryFolder()
            let path = try copy.write("flows.db", Data(contentsOf: URL(filePath: test.path)))
            _ = try copy.write("flows.db-wal", log.prefix(part))
            let reader = try FlowStore.reader(path: path)
            let flows = try reader.flows(limit: 100).flows
            #expect(flows == flows.indices.map { Samples.flow(Int64($0) + 1) })
            // At the end of the log the index may have been at work.
            #expect(flows.count < 20 || part == log.count - 1)
            reader.close()
        }
        test.close()
    }

    @Test("a flow that is cleared while it is open does not come back")
    func cleared() throws {
        let test = try StoreUnderTest()
        var flow = Samples.flow(1)
        flow.state = .open
        test.record(.flow(flow), .body(flow: 1, .down, [1]))
        let other = try FlowStore.reader(path: test.path)
        #expect(try other.delete() == 1)
        test.record(
            .body(flow: 1, .down, [2]), .message(flow: 1, FlowMessage(index: 0, atMS: 0, .init(from: .up, .text, [1]))))
        flow.state = .complete
        test.record(.flow(flow))
        #expect(try other.count() == 0)
        for table in ["body", "piece", "message", "doc", "raw"] {
            #expect(try other.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0, "\(table)")
        }
        other.close()
        test.close()
    }

    @Test("what a person says of a flow stays when the recorder goes on")
    func remarks() throws {
        let test = try StoreUnderTest()
        var flow = Samples.flow(1)
        flow.state = .open
        test.record(.flow(flow))
        let other = try FlowStore.reader(path: test.path)
        #expect(try other.annotate(1, mark: "red", comment: "look")?.mark == "red")
        #expect(try other.annotate(9, mark: "red") == nil)
        flow.state = .complete
        test.record(.flow(flow))
        #expect(try other.flow(1)?.comment == "look")
        #expect(try other.annotate(1, comment: "")?.comment == nil)
        #expect(try other.ids(matching: Samples.filter("is:marked")) == [1])
        other.close()
        test.close()
    }

    @Test("flows that are open when the recorder is closed are ended")
    func closed() throws {
        let test = try StoreUnderTest()
        var flow = Samples.flow(1)
        flow.state = .open
        test.record(.flow(flow))
        test.writer.close()
        #expect(try test.store.flow(1)?.state == .aborted)
        test.writer.record([.flow(Samples.flow(2))])
        #expect(test.writer.dropped.flows == 1)
        test.store.close()
    }

    @Test("a hundred thousand numbers are all different, whoever takes them")
    func numbers() throws {
        let test = try StoreUnderTest()
        var seen: Set<Int64> = []
        for round in 0..<20 {
            for _ in 0..<10_000 { seen.insert(test.writer.nextID()) }
            test.record(.flow(Samples.flow(test.writer.nextID())))
            if round == 10 {
                for id in try test.store.insert([WholeFlow(Samples.flow(1)), WholeFlow(Samples.flow(1))]) {
                    seen.insert(id)
                }
            }
        }
        #expect(seen.count == 200_002)
        test.close()
    }
}

/// Holds a thread up until it is opened.
final class Gate: Sendable {
    private let isShut = Locked(false)
    private let opened = Alarm()
    private let reached = Alarm()

    func shut() { isShut.withLock { $0 = true } }

    func open() {
        isShut.withLock { $0 = false }
        opened.ring()
    }

    /// Returns when a thread stands before it.
    func waitForSomebody() { reached.sleep() }

    @Sendable func pass() {
        guard isShut.withLock({ $0 }) else { return }
        reached.ring()
        opened.sleep()
    }
}
