import Facts
import Flows
import Loop
import Support
import Testing

@testable import Store

@Suite struct ExchangeOfFlowsTests {
    @Test("what another process does is noticed, what the recording one does itself is not")
    func changesByOthers() throws {
        let folder = try TemporaryFolder()
        let own = try FlowStore.open(path: folder.path + "/flows.db")
        _ = try own.insert([WholeFlow(Flow(id: 1, kind: .http, state: .complete, started: 0))])
        let before = own.changesByOthers
        _ = try own.insert([WholeFlow(Flow(id: 2, kind: .http, state: .complete, started: 0))])
        #expect(before != nil && own.changesByOthers == before)
        let other = try FlowStore.reader(path: folder.path + "/flows.db")
        _ = try other.insert([WholeFlow(Flow(id: 3, kind: .http, state: .complete, started: 0))])
        #expect(own.changesByOthers != before)
        other.close()
        own.close()
    }

    @Test("imported flows keep their numbers where those are free, and everything else always")
    func imported() throws {
        let test = try StoreUnderTest()
        let mine = test.writer.nextID()
        test.record(.flow(Samples.flow(mine)))
        let reader = try FlowStore.reader(path: test.path)
        let body = Array("imported".utf8)
        var flow = Samples.everything(mine)
        flow.response?.body = Samples.body(body)
        let whole = WholeFlow(
            flow, responseBody: body, messages: [FlowMessage(index: 0, atMS: 1, .init(from: .down, .event, body))],
            requestRaw: [9])
        let far = Samples.flow(10_000_000)
        let ids = try reader.insert([whole, WholeFlow(far), WholeFlow(far), WholeFlow(Samples.flow(-5))])
        #expect(ids[1] == 10_000_000)
        #expect(Set(ids).count == 4)
        #expect(!ids.contains(mine))
        flow.id = ids[0]
        #expect(try reader.flow(ids[0]) == flow)
        #expect(try reader.body(of: ids[0], .down) == body)
        #expect(try reader.messages(of: ids[0]) == whole.messages)
        #expect(try reader.raw(of: ids[0], .up) == [9])
        // The recorder's next numbers are its own.
        for _ in 0..<200_000 { #expect(!ids.contains(test.writer.nextID())) }
        reader.close()
        test.close()
    }

    @Test("what is recorded after an import has higher numbers than that, so that the newest come last")
    func overtaken() throws {
        let test = try StoreUnderTest()
        test.record(.flow(Samples.flow(test.writer.nextID())))
        let reader = try FlowStore.reader(path: test.path)
        var last = Int64(0)
        for _ in 0..<3 {
            let imported = try reader.insert([WholeFlow(Samples.flow(1)), WholeFlow(Samples.flow(1))])
            #expect(try #require(imported.min()) > last)
            // The recorder looks whenever it has written something.
            test.writer.settle()
            last = test.writer.nextID()
            #expect(try last > #require(imported.max()))
            test.record(.flow(Samples.flow(last)))
        }
        #expect(try reader.flows(limit: 1, order: .newestFirst).flows.map(\.id) == [last])
        reader.close()
        test.close()
    }

    @Test("the last connection is the one with the highest number that a flow has, however far away an imported one is")
    func lastConnection() throws {
        let test = try StoreUnderTest()
        #expect(try test.store.lastConnection() == 0)
        test.record(.flow(Samples.everything(test.writer.nextID())))
        test.writer.settle()
        #expect(try test.store.lastConnection() == 317)
        for number in [UInt64.max, 1 << 53, 400] {
            var flow = Samples.flow(1)
            flow.connection = number
            _ = try test.store.insert([WholeFlow(flow)])
        }
        #expect(try test.store.lastConnection() == 400)
        test.close()
    }

    @Test("an export goes back into an empty store as it was")
    func back() throws {
        let test = try StoreUnderTest()
        test.close()
        let reader = try FlowStore.reader(path: test.path)
        #expect(try reader.insert([WholeFlow(Samples.flow(42)), WholeFlow(Samples.flow(7))]) == [42, 7])
        #expect(try reader.flows().flows == [Samples.flow(7), Samples.flow(42)])
        reader.close()
    }

    @Test("a hash that is not that of its body is nobody's body")
    func lie() throws {
        let test = try StoreUnderTest()
        let (honest, other) = (Array("honest".utf8), Array("forged".utf8))
        var flow = Samples.flow(1)
        flow.response?.body = Samples.body(honest)
        #expect(try test.store.insert([WholeFlow(flow, responseBody: other)]).count == 1)
        flow.id = test.writer.nextID()
        test.record(.body(flow: flow.id, .down, honest), .flow(flow))
        #expect(try test.store.body(of: flow.id, .down) == honest)
        test.close()
    }

    @Test("a second process that follows misses nothing, and sees each change once")
    func following() throws {
        let test = try StoreUnderTest()
        let reader = try FlowStore.reader(path: test.path)
        var position = try reader.position
        func news(limit: Int = 100) throws -> [Int64] {
            let changes = try reader.changes(since: position, limit: limit)
            position = changes.position
            return changes.flows.map(\.id)
        }
        #expect(try news() == [])
        test.record(.flow(Samples.flow(1)), .flow(Samples.flow(2)), .flow(Samples.flow(3)))
        #expect(try news(limit: 2) == [1, 2])
        test.record(.flow(Samples.flow(1)))
        #expect(try news() == [3, 1])
        _ = try reader.annotate(2, mark: "red")
        #expect(try news() == [2])
        #expect(try news() == [])
        reader.close()
        test.close()
    }

    @Test("whoever clears has its turn while a recorder writes without a pause")
    func clearWhileWriting() async throws {
        let test = try StoreUnderTest()
        let isOver = Locked(false)
        let writer = test.writer
        let recorder = try WorkerThread(name: "test") { _ in
            var id: Int64 = 0
            while !isOver.withLock({ $0 }) {
                id += 1
                writer.record([
                    .body(flow: id, .up, [UInt8](repeating: UInt8(id & 255), count: 100_000)), .flow(Samples.flow(id)),
                ])
                if id % 100 == 0 { writer.flush() }
            }
        }
        let reader = try FlowStore.reader(path: test.path)
        var removed = 0
        for _ in 1...5 { removed += try reader.delete() }
        isOver.withLock { $0 = true }
        recorder.join()
        writer.flush()
        #expect(test.writer.fault == nil)
        let rest = try reader.count()
        #expect(try reader.delete() == rest && removed >= 0)
        reader.close()
        test.close()
    }

    @Test("statistics count, add up and rank by host, status and type")
    func statistics() throws {
        let test = try StoreUnderTest()
        for id in Int64(1)...100 {
            var flow = Samples.flow(id, status: id > 90 ? 500 : 200)
            flow.durationMS = Double(id)
            flow.request?.body = FlowBody(size: 10)
            flow.response?.body = FlowBody(size: 100, type: "text/html")
            if id == 100 { flow.server.host = nil }
            test.writer.record([.flow(flow)])
        }
        test.writer.flush()
        let all = try test.store.statistics()
        #expect(all.all.count == 100)
        #expect(all.all.requestBytes == 1000)
        #expect(all.all.responseBytes == 10_000)
        #expect(all.all.p50 == 50 && all.all.p95 == 95 && all.all.p99 == 99)
        #expect(all.hosts.map(\.name) == ["api.example.com", nil])
        #expect(all.statuses.map(\.name) == ["200", "500"])
        #expect(all.statuses.map(\.count) == [90, 10])
        #expect(all.types.map(\.name) == ["text/html"])
        #expect(try test.store.statistics(matching: Samples.filter("status:500")).all.count == 10)
        #expect(try test.store.statistics(matching: Samples.filter("status:999")).all.p50 == nil)
        test.close()
    }

    @Test("who follows misses nothing when all is cleared meanwhile")
    func clearedWhileFollowed() throws {
        let test = try StoreUnderTest()
        let reader = try FlowStore.reader(path: test.path)
        for id in Int64(1)...20 { test.record(.flow(Samples.flow(id))) }
        let position = try reader.position
        #expect(try reader.delete() == 20)
        #expect(try reader.position == position)
        for id in Int64(21)...23 { test.record(.flow(Samples.flow(id))) }
        let changes = try reader.changes(since: position)
        #expect(changes.flows.map(\.id) == [21, 22, 23] && !changes.hasMore)
        #expect(try reader.changes(since: position, limit: 2).hasMore)
        let some = try reader.changes(since: position, matching: Samples.filter("id:22"), limit: 2)
        #expect(some.flows.map(\.id) == [22] && some.hasMore)
        #expect(try reader.insert([WholeFlow(Samples.flow(21))]).count == 1)
        #expect(try reader.changes(since: changes.position).flows.count == 1)
        reader.close()
        test.close()
    }
}
