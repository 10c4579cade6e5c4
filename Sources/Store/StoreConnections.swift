import Dispatch
import GRDB
import Loop

/// SQLite's connections to one store, which can be closed while others ask.
///
/// GRDB's pool hands a closed connection to a read that waited for it while the pool was being closed, and SQLite then
/// follows a null pointer. So nobody gets as far as that: who came before the closing is waited for, who comes after it is
/// refused.
final class StoreConnections: Sendable {
    private let path: String
    private let pool: DatabasePool
    private let isClosed = Locked(false)
    /// Entered by each that asks, and only while `isClosed` is held.
    private let uses = DispatchGroup()

    init(_ pool: DatabasePool, path: String) {
        self.pool = pool
        self.path = path
    }

    /// A snapshot: what was committed when it began.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try used { try pool.read(body) }
    }

    /// One transaction, which is rolled back when `body` throws.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try used { try pool.write(body) }
    }

    func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try used { try pool.writeWithoutTransaction(body) }
    }

    /// Waits for whoever asks, and lets go of the files then.
    ///
    /// - Parameter patience: seconds; whoever takes longer reads on, and nobody else comes.
    func close(patience: Double) {
        isClosed.withLock { $0 = true }
        guard uses.wait(timeout: .now() + patience) == .success else { return }
        try? pool.close()
    }

    private func used<Value>(_ body: () throws -> Value) throws -> Value {
        try isClosed.withLock { isClosed throws(StoreError) in
            if isClosed { throw .closed(path: path) }
            uses.enter()
        }
        defer { uses.leave() }
        return try body()
    }
}
