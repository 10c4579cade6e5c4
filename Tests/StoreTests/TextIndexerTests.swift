import Flows
import GRDB
import Loop
import Testing

@testable import Store

@Suite struct TextIndexerTests {
    @Test("a bite of the index ends after a moment, and the next one goes on where it ended")
    func bites() throws {
        let test = try StoreUnderTest()
        test.close()
        let store = try FlowStore.open(path: test.path)
        _ = try store.insert((1...5).map { WholeFlow(Samples.flow($0)) })
        let clock = Locked(0.0)
        var indexer = TextIndexer(StoreLimits(), StoreTools()) {
            clock.withLock { time in
                time += 1
                return time
            }
        }
        for done in 1...5 {
            let goesOn = try store.pool.write { try indexer.step($0) }
            let indexed = try store.pool.read { try Int.fetchAll($0, sql: "SELECT id FROM flow WHERE indexed = 1") }
            #expect(goesOn && indexed == Array(1...done))
        }
        #expect(try !store.pool.write { try indexer.step($0) })
        store.close()
    }
}
