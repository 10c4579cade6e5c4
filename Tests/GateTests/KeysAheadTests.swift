import Loop
import Testing

@testable import Gate

@Suite("keys made ahead", .timeLimit(.minutes(15)))
struct KeysAheadTests {
    @Test("who waits goes on when the work is done, whether it waits before or after")
    func waits() async throws {
        let begin = Alarm()
        let count = Locked(0)
        let keys = try KeysAhead { isWanted in
            begin.sleep()
            if isWanted() { count.withLock { $0 += 1 } }
        }
        async let early: Void = keys.wait()
        async let other: Void = keys.wait()
        begin.ring()
        _ = await (early, other)
        #expect(count.withLock { $0 } == 1)
        await keys.wait()
    }

    @Test("work that is no longer wanted is told so, and ends")
    func cancelled() async throws {
        let begin = Alarm()
        let told = Locked(true)
        let keys = try KeysAhead { isWanted in
            begin.sleep()
            told.withLock { $0 = isWanted() }
        }
        keys.cancel()
        begin.ring()
        await keys.wait()
        #expect(!told.withLock { $0 })
    }
}
