import Dispatch
import Loop

/// Turns SIGINT and SIGTERM into calls, for as long as it lives.
public final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter received: called on a queue of its own, with the number of signals so far, from 1.
    public init(_ received: @escaping @Sendable (_ count: Int) -> Void) {
        let count = Locked(0)
        let queue = DispatchQueue(label: "pinproof.signals")
        sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the source is asked.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                received(
                    count.withLock {
                        $0 += 1
                        return $0
                    })
            }
            source.resume()
            return source
        }
    }

    deinit { stop() }

    /// Gives the signals back to the system's default, which ends the process.
    public func stop() {
        for source in sources where !source.isCancelled { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
