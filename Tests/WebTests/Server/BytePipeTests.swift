import Dispatch
import Loop
import Testing

@testable import Web

@Suite("Byte pipe", .timeLimit(.minutes(20)))
struct BytePipeTests {
    struct Fault: Error {}

    private func write(_ pipe: BytePipe, _ pieces: Int, of size: Int, end: Result<Void, any Error> = .success(())) {
        DispatchQueue.global().async {
            do {
                for piece in 0..<pieces { try pipe.write([UInt8](repeating: UInt8(piece & 255), count: size)) }
                pipe.end(end)
            } catch {
                pipe.end(.failure(error))
            }
        }
    }

    private func read(_ pipe: BytePipe) async throws -> [UInt8] {
        var all: [UInt8] = []
        let iterator = pipe.makeAsyncIterator()
        while let bytes = try await iterator.nextBuffer(suggested: 10_000) { all += bytes }
        return all
    }

    @Test("what is written comes out in order, however much it is")
    func order() async throws {
        let pipe = BytePipe(patience: 1200)
        write(pipe, 200, of: 50_000)
        let all = try await read(pipe)
        #expect(all.count == 10_000_000)
        #expect(stride(from: 0, to: all.count, by: 50_000).map { all[$0] } == (0..<200).map { UInt8($0) })
    }

    @Test("what is small is known as a whole; of what is not, nothing is taken")
    func whole() async throws {
        let small = BytePipe(patience: 1200)
        write(small, 3, of: 2)
        #expect(try await small.whole() == [0, 0, 1, 1, 2, 2])
        let large = BytePipe(patience: 1200)
        write(large, 2, of: BytePipe.limit)
        #expect(try await large.whole() == nil)
        #expect(try await read(large).count == 2 * BytePipe.limit)
    }

    @Test("a fault cuts it, behind what came before")
    func fault() async throws {
        let pipe = BytePipe(patience: 1200)
        write(pipe, 1, of: 10, end: .failure(Fault()))
        let iterator = pipe.makeAsyncIterator()
        #expect(try await iterator.nextBuffer(suggested: 100)?.count == 10)
        await #expect(throws: Fault.self) { _ = try await iterator.nextBuffer(suggested: 100) }
    }

    @Test("who writes is told that nobody reads any more")
    func gone() async throws {
        let pipe = BytePipe(patience: 1200)
        let stopped = Alarm()
        DispatchQueue.global().async {
            while (try? pipe.write([UInt8](repeating: 1, count: 100_000))) != nil {}
            stopped.ring()
        }
        do {
            let iterator = pipe.makeAsyncIterator()
            _ = try await iterator.nextBuffer(suggested: 10)
        }
        #expect(await Task.detached { stopped.sleep(seconds: 30) }.value)
    }
}
