import Dispatch
import Loop

/// Turns the signals that end a program into calls, until it is stopped.
package final class SignalWatch {
    /// Those that are watched. The default action of each ends the process, and leaves COMMAND, which has a process
    /// group of its own, behind.
    private let signals: [EndingSignal]
    private let sources: [any DispatchSourceSignal]

    /// Returns when every signal from now on is reported.
    ///
    /// - Parameters:
    ///   - now: seconds of a clock that never goes back.
    ///   - received: called on a queue of its own, with the number of signals so far, from 1; those of one moment are one.
    package init(
        now: @escaping @Sendable () -> Double = { MonotonicClock.now },
        _ received: @escaping @Sendable (_ count: Int) -> Void
    ) {
        let signalled = Locked(SignalCount())
        let queue = DispatchQueue(label: "pinproof.signals")
        let registered = DispatchSemaphore(value: 0)
        // Under `nohup` a hang-up is ignored, and the program is to go on when its terminal is gone.
        signals = EndingSignal.allCases.filter { $0 != .hangUp || !$0.isIgnored }
        sources = signals.map { ending in
            // Before the source takes it over, and not after: the default action would end the process.
            ending.ignore()
            let source = DispatchSource.makeSignalSource(signal: ending.number, queue: queue)
            source.setEventHandler {
                if let count = signalled.withLock({ $0.receive(at: now()) }) { received(count) }
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
        for ending in signals { ending.restoreDefault() }
    }
}
