import Dispatch
import Loop
import Testing

@testable import Web

@Suite struct DiskWorkTests {
    /// Work that has begun, and goes on until it is told.
    private struct Held {
        let task: Task<Int, any Error>
        private let end = DispatchSemaphore(value: 0)

        init(_ work: DiskWork) async {
            let begun = AsyncStream.makeStream(of: Void.self)
            let end = self.end
            task = Task {
                try await work.run {
                    begun.continuation.yield()
                    end.wait()
                    return 1
                }
            }
            for await _ in begun.stream { break }
        }

        func release() { end.signal() }
    }

    @Test("whoever is called off does not wait for the work before it, nor for its own")
    func cancelled() async throws {
        let work = DiskWork(width: 1)
        let held = await Held(work)
        let second = Task { try await work.run { 2 } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        held.task.cancel()
        await #expect(throws: CancellationError.self) { try await held.task.value }
        // Its thread is still busy; the next one has its turn when that has ended.
        let third = Task { try await work.run { 3 } }
        held.release()
        #expect(try await third.value == 3)
    }

    @Test("all that wait have their turn, and errors are passed on")
    func turns() async throws {
        struct Fault: Error {}
        let work = DiskWork(width: 2)
        let held = await Held(work)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...40 { group.addTask { try await work.run { number } } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 820)
        await #expect(throws: Fault.self) { try await work.run { throw Fault() } }
        held.release()
        #expect(try await held.task.value == 1)
    }

    @Test("only so many wait, and the others are told at once")
    func full() async throws {
        let work = DiskWork(width: 1)
        let held = await Held(work)
        let refused = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<(DiskWork.queueLimit + 8) {
                group.addTask {
                    do { _ = try await work.run { 0 } } catch { return (error as? Problem)?.status ?? 0 }
                    return nil
                }
            }
            var refused: [Int] = []
            while refused.count < 8, let status = await group.next() { if let status { refused.append(status) } }
            held.release()
            for await status in group { #expect(status == nil) }
            return refused
        }
        #expect(refused == Array(repeating: 503, count: 8))
        #expect(try await held.task.value == 1)
    }
}
