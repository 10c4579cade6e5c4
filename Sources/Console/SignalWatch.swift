import Dispatch
import Loop

/// Turns the signals that end a program into calls, until it is stopped.
package final class SignalWatch {
    /// Ctrl-C, `kill`, a terminal or connection that is gone, Ctrl-\. The default action of each ends the process, and
    /// leaves COMMAND, which has a process group of its own, behind.
    private static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Those of them that are watched.
    private let numbers: [Int32]
    private let sources: [any DispatchSourceSignal]

    /// Returns when every signal from now on is reported.
    ///
    /// - Parameter received: called on a queue of its own, with the number of signals so far, from 1.
    package init(_ received: @escaping @Sendable (_ count: Int) -> Void) {
        let count = Locked(0)
        let queue = DispatchQueue(label: "pinproof.signals")
        let registered = DispatchSemaphore(value: 0)
        numbers = Self.all.filter { $0 != SIGHUP || !Self.isIgnored($0) }
        sources = numbers.map { number in
            // Before the source takes it over, and not after: the default action would end the process.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                received(number)
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            return source
        }
        for _ in sources { registered.wait() }
    }

    deinit { stop() }

    /// Gives the signals back to the system's default, which ends the process.
    package func stop() {
        for source in sources where !source.isCancelled { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }

    /// Under `nohup` it is, and the program is to go on when its terminal is gone.
    private static func isIgnored(_ number: Int32) -> Bool { isSignalIgnored(number) }
}
