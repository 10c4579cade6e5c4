import Facts
import Loop
import Testing

private final class Journal {
    let loop: EventLoop
    var lines: [Int] = []
    var timer: LoopTimer?
    init(loop: EventLoop) { self.loop = loop }
}

@Test("jobs run in the order they were submitted, and what they return comes back")
func order() throws {
    let thread = try LoopThread(name: "test") { Journal(loop: $0) }
    for number in 0..<1000 { thread.submit { $0.lines.append(number) } }
    #expect(try thread.call { $0.lines } == Array(0..<1000))
    thread.stop()
}

@Test("after stop a job is dropped, and says so")
func dropped() async throws {
    let thread = try LoopThread(name: "test") { Journal(loop: $0) }
    thread.stop()
    #expect(!thread.submit { $0.lines.append(1) })
    await thread.run { _, _ in Issue.record("ran after stop") }
    #expect(throws: SystemError.self) { try thread.call { _ in Issue.record("ran after stop") } }
}

@Test("what the state's maker throws comes out of the initialiser")
func thrown() {
    struct Refused: Error {}
    #expect(throws: Refused.self) { _ = try LoopThread<Journal>(name: "test") { _ in throw Refused() } }
}

@Test("a timer fires until it is let go")
func timer() async throws {
    let thread = try LoopThread(name: "test") { Journal(loop: $0) }
    await thread.run { journal, done in
        journal.timer = LoopTimer(on: journal.loop, every: 0.001) {
            journal.lines.append(1)
            if journal.lines.count == 3 {
                journal.timer = nil
                done()
            }
        }
    }
    #expect(try thread.call { $0.lines.count } == 3)
    thread.stop()
}

@Test("names of /etc/hosts resolve, nonsense does not, addresses come as they are")
func resolve() async throws {
    let thread = try LoopThread(name: "test") { Journal(loop: $0) }
    defer { thread.stop() }
    let found = Locked<[String]>([])
    for text in ["localhost:80", "127.0.0.9:81", "[::1]:82"] {
        let endpoint = try #require(Endpoint(text))
        await thread.run { journal, done in
            journal.loop.resolve(endpoint) { result in
                if case .success(let addresses) = result { found.withLock { $0 += [addresses[0].description] } }
                done()
            }
        }
    }
    let all = found.withLock { $0 }
    #expect(all.count == 3)
    #expect(all.first?.hasSuffix(":80") == true)
    #expect(all.dropFirst() == ["127.0.0.9:81", "[::1]:82"])
}
