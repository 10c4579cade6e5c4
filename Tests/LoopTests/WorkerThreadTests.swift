import Testing

@testable import Loop

@Suite struct WorkerThreadTests {
    @Test("a thread sleeps until it is woken, and is waited for")
    func wakes() throws {
        let count = Locked(0)
        let thread = try WorkerThread(name: "worker") { alarm in
            while count.withLock({ $0 }) < 3 { alarm.sleep() }
            count.withLock { $0 = 100 }
        }
        for _ in 0..<3 {
            count.withLock { $0 += 1 }
            thread.wake()
        }
        thread.join()
        thread.join()
        #expect(count.withLock { $0 } == 100)
    }

    @Test("one that rings while nobody sleeps ends the next sleep, and only that")
    func rings() {
        let alarm = Alarm()
        alarm.ring()
        alarm.ring()
        #expect(alarm.sleep(seconds: 60))
        #expect(!alarm.sleep(seconds: 0))
        #expect(!alarm.sleep(seconds: 0.001))
        #expect(!alarm.sleep(seconds: -.infinity))
    }
}
