import Loop

/// Writes on a thread of its own: a terminal may be held, a pipe not be read.
///
/// Whoever tells something never waits. What finds no room is counted, and told when there is room again.
package final class PatientWriter: Sendable {
    private struct State {
        var waiting: [String] = []
        /// In bytes.
        var size = 0
        var withheld = 0
        var isClosing = false
    }

    /// Bytes that wait: more than anybody reads.
    static let limit = 256 * 1024

    private let state = Locked(State())
    private let thread: WorkerThread
    private let ended = Alarm()

    package init(_ write: @escaping @Sendable (String) -> Void) throws(SystemError) {
        thread = try WorkerThread(name: "words") { [state, ended] alarm in
            while true {
                let (texts, withheld, isClosing) = state.withLock { state in
                    defer { (state.waiting, state.size, state.withheld) = ([], 0, 0) }
                    return (state.waiting, state.withheld, state.isClosing)
                }
                for text in texts { write(text) }
                if withheld > 0 { write("\(withheld) more lines were not shown: nobody took them\n") }
                guard texts.isEmpty, withheld == 0 else { continue }
                if isClosing { break }
                alarm.sleep()
            }
            ended.ring()
        }
    }

    package func add(_ text: String) {
        state.withLock { state in
            guard state.size + text.utf8.count <= Self.limit else { return state.withheld += 1 }
            state.waiting.append(text)
            state.size += text.utf8.count
        }
        thread.wake()
    }

    /// Waits until all is written, for so many seconds at most. One that is held stays behind, and ends with the process.
    package func finish(seconds: Double) {
        state.withLock { $0.isClosing = true }
        thread.wake()
        ended.sleep(seconds: seconds)
    }
}
