import Flows
import Loop
import Support
import Testing

@testable import Store

@Suite struct PruningTests {
    @Test("a store stays within its size, and keeps the newest")
    func size() throws {
        let limit = 3 << 20
        let test = try StoreUnderTest(limits: StoreLimits(bytes: limit))
        var dice = SeededGenerator(seed: 1)
        var largest = 0
        for id in Int64(1)...600 {
            let bytes = (0..<20_000).map { _ in dice.byte() }
            var flow = Samples.flow(id)
            flow.request?.body = Samples.body(bytes)
            test.writer.record([.body(flow: id, .up, bytes), .flow(flow)])
            if id % 20 == 0 {
                test.writer.settle()
                largest = max(largest, test.store.size)
            }
        }
        test.writer.settle()
        let ids = try test.store.ids()
        #expect(largest <= limit)
        #expect(test.store.size <= limit)
        #expect(ids.count > 40)
        #expect(ids == Array((601 - Int64(ids.count))...600))
        #expect(try test.store.ids(matching: Samples.filter("items")) == ids)
        test.close()
    }

    @Test("a store stays within its size while more comes than one bite takes away")
    func pressed() throws {
        let limit = 4 << 20
        let test = try StoreUnderTest(limits: StoreLimits(bytes: limit))
        var dice = SeededGenerator(seed: 1)
        var largest = 0
        for id in Int64(1)...1200 {
            let bytes = (0..<20_000).map { _ in dice.byte() }
            var flow = Samples.flow(id)
            flow.request?.body = Samples.body(bytes)
            test.writer.record([.body(flow: id, .up, bytes), .flow(flow)])
            if id % 40 == 0 {
                // Written, and not waited for beyond that.
                test.writer.flush()
                largest = max(largest, test.store.size)
            }
        }
        test.writer.settle()
        #expect(largest <= limit + limit / 4)
        #expect(test.store.size <= limit)
        #expect(try test.store.ids().last == 1200)
        test.close()
    }

    @Test("flows that are older than the limit go")
    func age() throws {
        let now = Locked(Samples.start)
        let test = try StoreUnderTest(limits: StoreLimits(days: 1), now: { now.withLock { $0 } })
        test.writer.record((1...10).map { .flow(Samples.flow($0)) })
        test.writer.settle()
        #expect(try test.store.count() == 10)
        now.withLock { $0 = Samples.start + 86_400 + 0.055 }
        test.record(
            .flow(
                {
                    var flow = Samples.flow(11); flow.started += 86_400; return flow
                }()))
        test.writer.settle()
        #expect(try test.store.ids() == Array(6...11))
        test.close()
    }

    @Test("what is cleared gives its room back")
    func cleared() throws {
        let test = try StoreUnderTest()
        var dice = SeededGenerator(seed: 1)
        for id in Int64(1)...100 {
            test.writer.record([.body(flow: id, .up, (0..<20_000).map { _ in dice.byte() }), .flow(Samples.flow(id))])
        }
        test.writer.settle()
        #expect(try test.store.delete() == 100)
        test.close()
        #expect(StoreFile.size(of: test.path) < 400_000)
    }
}
