import Facts
import Filters
import Flows
import Loop
import Support
import Testing

@testable import Store

@Suite struct CalledOffTests {
    /// So many flows with a coded body each, and how often bodies were taken apart.
    private static func store(_ count: Int64) throws -> (
        store: FlowStore, decoded: Locked<Int>, folder: TemporaryFolder
    ) {
        let (folder, decoded) = (try TemporaryFolder(), Locked(0))
        let path = folder.path + "/flows.db"
        let tools = StoreTools(
            content: { _, limit in
                decoded.withLock { $0 += 1 }
                return Samples.Reversed(limit)
            }, sha256: Samples.hash)
        do {
            let store = try FlowStore.open(path: path, tools: tools)
            // Flows of long ago are removed.
            let writer = try FlowWriter(store, limits: StoreLimits(), now: { Samples.start + 100 })
            for id in 1...count {
                var flow = Samples.flow(id)
                flow.response?.body = Samples.body(Array("needle".utf8.reversed()), encoding: "reversed")
                writer.record([.flow(flow), .body(flow: id, .down, Array("needle".utf8.reversed()))])
            }
            writer.close()
            store.close()
        }
        decoded.withLock { $0 = 0 }
        return (try FlowStore.reader(path: path, tools: tools), decoded, folder)
    }

    @Test("a search that nobody waits for any longer looks into no further flow")
    func calledOff() throws {
        let (store, decoded, folder) = try Self.store(40)
        // What no index knows of: whether these flows are in it is a matter of time.
        let filter = try Samples.filter("body:/n.thing/")
        #expect(try store.ids(matching: filter).isEmpty)
        #expect(decoded.withLock { $0 } == 40)
        decoded.withLock { $0 = 0 }
        let reader = store.reader { decoded.withLock { $0 < 7 } }
        func calledOff(_ read: () throws -> Void) {
            decoded.withLock { $0 = 0 }
            #expect(throws: StoreError.calledOff) { try read() }
            #expect(decoded.withLock { $0 } == 7)
        }
        calledOff { _ = try reader.ids(matching: filter) }
        calledOff { _ = try reader.flows(matching: filter) }
        calledOff { _ = try reader.count(matching: filter) }
        calledOff { _ = try reader.ids(Array(1...40), matching: filter) }
        calledOff { _ = try reader.statistics(matching: filter) }
        calledOff { try reader.forEach(matching: filter) { _ in true } }
        withExtendedLifetime(folder) {}
    }

    @Test("what columns answer is answered whoever is gone")
    func cheap() throws {
        let (store, _, folder) = try Self.store(5)
        let filter = try Samples.filter("status:200")
        let found = try store.reader { false }.ids(matching: filter)
        #expect(found.count == 5)
        withExtendedLifetime(folder) {}
    }

    @Test("a body is taken apart once, however many terms look into it")
    func once() throws {
        let (store, decoded, folder) = try Self.store(10)
        let filter = try Samples.filter((1...30).map { "body:/w.rd\($0)/" }.joined(separator: " or "))
        #expect(try store.ids(matching: filter).isEmpty)
        #expect(decoded.withLock { $0 } == 10)
        withExtendedLifetime(folder) {}
    }
}
