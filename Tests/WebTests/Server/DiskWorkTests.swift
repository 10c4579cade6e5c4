import Dispatch
import Loop
import Testing

@testable import Web

@Suite struct DiskWorkTests {
    /// Work that has begun, and goes on until it is told.
    private struct Held {
        let task: Task<Int, any Error>
        private let end = DispatchSemaphore(value: 0)

        init(_ work: DiskWork, isChange: Bool = false) async {
            let begun = AsyncStream.makeStream(of: Void.self)
            let end = self.end
            task = Task {
                try await work.run(isChange: isChange) { _ in
                    begun.continuation.yield()
                    end.wait()
                    return 1
                }
            }
            for await _ in begun.stream { break }
        }

        func release() { end.signal() }
    }

    /// Until so many wait for their turn.
    private func untilWaiting(_ count: Int, for work: DiskWork) async {
        while await work.waiting.count != count { await Task.yield() }
    }

    /// What its threads hold is given back a moment after the answer.
    private func expectIdle(_ work: DiskWork, width: Int) async {
        while await work.free != width { await Task.yield() }
        #expect(await work.waiting.isEmpty)
    }

    @Test("whoever is called off does not wait for the work before it, nor for its own", .timeLimit(.minutes(5)))
    func cancelled() async throws {
        let work = DiskWork(width: 1)
        let held = await Held(work)
        let second = Task { try await work.run { _ in 2 } }
        await untilWaiting(1, for: work)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(await work.waiting.isEmpty)
        held.task.cancel()
        await #expect(throws: CancellationError.self) { try await held.task.value }
        // Its thread is still busy; the next one has its turn when that has ended.
        let third = Task { try await work.run { _ in 3 } }
        await untilWaiting(1, for: work)
        #expect(await work.free == 0)
        held.release()
        #expect(try await third.value == 3)
        await expectIdle(work, width: 1)
    }

    @Test("a change is waited for, whoever is gone", .timeLimit(.minutes(5)))
    func change() async throws {
        let work = DiskWork(width: 1)
        let held = await Held(work, isChange: true)
        held.task.cancel()
        held.release()
        #expect(try await held.task.value == 1)
        await expectIdle(work, width: 1)
    }

    @Test("work is told that it is called off, and that its asker has gone; a change never is", .timeLimit(.minutes(5)))
    func told() async throws {
        let work = DiskWork(width: 1)
        let isThere = Locked(true)
        let hasBegun = AsyncStream.makeStream(of: Void.self)
        // Ends once it is told; it would go on for ever else.
        let search: @Sendable (@Sendable () -> Bool) throws -> Int = { isWanted in
            hasBegun.continuation.yield()
            while isWanted() {}
            return 1
        }
        var begun = hasBegun.stream.makeAsyncIterator()
        let first = Task { try await work.run(while: { isThere.withLock { $0 } }, search) }
        _ = await begun.next()
        isThere.withLock { $0 = false }
        #expect(try await first.value == 1)
        await #expect(throws: CancellationError.self) { try await work.run(while: { false }) { _ in 2 } }
        let second = Task { try await work.run(search) }
        _ = await begun.next()
        second.cancel()
        await expectIdle(work, width: 1)
        #expect(try await work.run(isChange: true, while: { false }) { isWanted in isWanted() })
        await expectIdle(work, width: 1)
    }

    @Test("however calls off, turns and ends come together, each slot comes back once", .timeLimit(.minutes(5)))
    func races() async throws {
        let work = DiskWork(width: 3)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let task = Task { try await work.run { _ in number } }
                    if number % 2 == 0 { await Task.yield() }
                    if number % 3 != 0 { task.cancel() }
                    if let value = try? await task.value { #expect(value == number) }
                }
            }
        }
        await expectIdle(work, width: 3)
    }

    @Test("all that wait have their turn, and errors are passed on", .timeLimit(.minutes(5)))
    func turns() async throws {
        struct Fault: Error {}
        let work = DiskWork(width: 2)
        let held = await Held(work)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...40 { group.addTask { try await work.run { _ in number } } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 820)
        await #expect(throws: Fault.self) { try await work.run { _ in throw Fault() } }
        held.release()
        #expect(try await held.task.value == 1)
    }

    @Test("only so many wait, and the others are told at once", .timeLimit(.minutes(5)))
    func full() async throws {
        let work = DiskWork(width: 1, queue: 5)
        let held = await Held(work)
        let refused = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<13 {
                group.addTask {
                    do { _ = try await work.run { _ in 0 } } catch { return (error as? Problem)?.status ?? 0 }
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
