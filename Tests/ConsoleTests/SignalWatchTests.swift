import Loop
import Testing

@testable import Gate

@Test("a signal is counted, and does not end the process")
func counted() async {
    let (counts, count) = AsyncStream.makeStream(of: Int.self)
    let watch = SignalWatch { count.yield($0) }
    defer { watch.stop() }
    var seen: [Int] = []
    kill(getpid(), SIGTERM)
    for await number in counts {
        seen.append(number)
        if seen.count == 2 { break }
        kill(getpid(), SIGINT)
    }
    #expect(seen == [1, 2])
}
