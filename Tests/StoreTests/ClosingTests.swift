import Flows
import Foundation
import GRDB
import Loop
import Support
import Testing

@testable import Store

@Suite struct ClosingTests {
    /// Closing waits for whoever reads, and whoever comes later is told; SQLite is never asked through a closed connection.
    @Test("a store that is closed while others read answers or refuses each of them")
    func closedWhileRead() throws {
        let test = try StoreUnderTest()
        test.record(.flow(Samples.flow(1)))
        test.close()
        let refusal = StoreError.closed(path: test.path)
        for _ in 0..<40 {
            let store = try FlowStore.reader(path: test.path)
            let (begun, ended) = (DispatchSemaphore(value: 0), DispatchGroup())
            let wrong = Locked<[String]>([])
            for _ in 0..<8 {
                Thread.detachNewThread(in: ended) {
                    begun.signal()
                    while true {
                        do {
                            let count = try store.count()
                            if count != 1 { wrong.withLock { $0.append("\(count) flows") } }
                            _ = store.changesByOthers
                        } catch {
                            if error as? StoreError != refusal { wrong.withLock { $0.append("\(error)") } }
                            return
                        }
                    }
                }
            }
            for _ in 0..<8 { begun.wait() }
            store.close()
            ended.wait()
            #expect(wrong.withLock { $0 } == [])
        }
    }

    @Test("a read that takes longer than the store's closing waits reads on")
    func patience() throws {
        let test = try StoreUnderTest()
        test.record(.flow(Samples.flow(1)))
        test.close()
        let store = try FlowStore.reader(path: test.path)
        let (begun, goOn, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        let count = Locked<Int?>(nil)
        Thread.detachNewThread(in: ended) {
            let read = try? store.read { db in
                begun.signal()
                goOn.wait()
                return try Int.fetchOne(db, sql: "SELECT count(*) FROM flow")
            }
            count.withLock { $0 = read ?? nil }
        }
        begun.wait()
        store.close(patience: 0.01)
        #expect(throws: StoreError.closed(path: test.path)) { try store.count() }
        // Its lock is free.
        try FlowStore.open(path: test.path).close()
        goOn.signal()
        ended.wait()
        #expect(count.withLock { $0 } == 1)
        store.close()
    }

    @Test("a closed store says so to each question, and can be closed again")
    func closed() throws {
        let test = try StoreUnderTest()
        test.close()
        let store = try FlowStore.reader(path: test.path)
        store.close()
        store.close()
        #expect(throws: StoreError.closed(path: test.path)) { try store.count() }
        #expect(throws: StoreError.closed(path: test.path)) { try store.write { _ in } }
        #expect(store.changesByOthers == nil)
    }
}

extension Thread {
    fileprivate static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        detachNewThread {
            body()
            group.leave()
        }
    }
}
