import Foundation
import Testing

/// Copies one direction between two blocking sockets until it ends.
final class Pump: Sendable {
    private let from: TestSocket
    private let to: TestSocket
    private let done = DispatchSemaphore(value: 0)

    init(_ from: TestSocket, _ to: TestSocket) {
        self.from = from
        self.to = to
    }

    func run() {
        while let bytes = try? from.receive(), !bytes.isEmpty, (try? to.send(bytes)) != nil {}
        to.end()
    }

    func start() {
        Thread.detachNewThread {
            self.run()
            self.done.signal()
        }
    }

    func join() { done.wait() }
}

/// Holds a thread until another one says go.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }

    /// Five minutes at most: a test that never ends holds all others up, and no time limit ends a thread.
    func wait(_ location: SourceLocation = #_sourceLocation) {
        if semaphore.wait(timeout: .now() + 300) == .timedOut {
            Issue.record("nobody said go within five minutes", sourceLocation: location)
        }
    }
}

func onThread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }
