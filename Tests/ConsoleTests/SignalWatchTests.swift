import Foundation
import Loop
import Testing

@testable import Console

@Test("a signal is counted, and does not end the process")
func counted() async {
    let (counts, count) = AsyncStream.makeStream(of: Int.self)
    let seconds = Locked(0.0)
    // Each signal comes long after the one before.
    let later: @Sendable () -> Double = {
        seconds.withLock { seconds in
            seconds += 10
            return seconds
        }
    }
    // Under nohup a hang-up is nobody's: the tests may run so.
    let next = EndingSignal.hangUp.isIgnored ? [SIGINT, SIGQUIT] : [SIGINT, SIGHUP, SIGQUIT]
    let watch = SignalWatch(now: later) { count.yield($0) }
    defer { watch.stop() }
    var seen: [Int] = []
    kill(getpid(), SIGTERM)
    for await number in counts {
        seen.append(number)
        if seen.count > next.count { break }
        kill(getpid(), next[seen.count - 1])
    }
    #expect(seen == Array(1...(next.count + 1)))
}

@Test("a hang-up that somebody wants ignored, as under nohup, stays so")
func nohup() async {
    await #expect(processExitsWith: .success) {
        signal(SIGHUP, SIG_IGN)
        let (counts, count) = AsyncStream.makeStream(of: Int.self)
        let watch = SignalWatch { count.yield($0) }
        kill(getpid(), SIGHUP)
        kill(getpid(), SIGTERM)
        for await number in counts {
            watch.stop()
            // And the next program that is started finds it as it was.
            ProcessControl.end(number == 1 && EndingSignal.hangUp.isIgnored ? 0 : 1)
        }
    }
}
