import Flows
import Loop

/// Tells every open page what the recorder tells, and waits for none of them.
///
///     hub.note(changes)                       // on the recorder's thread
///     let reader = hub.reader()
///     while let text = await reader.next() { … }
package final class EventHub: Sendable {
    private struct State {
        var readers: [Int: EventReader] = [:]
        var nextReader = 0
        /// Grows with everything that is told: whoever reads the store knows whether it can be behind.
        var told = 0
        var isClosed = false
    }

    private let state = Locked(State())

    package init() {}

    /// So many pages are told at once; more than a person opens, and few enough to keep rows for.
    static let readerLimit = 32

    var told: Int { state.withLock { $0.told } }

    /// A new page; nil where there are too many, or the proxy stops.
    func reader(hidesSecrets: Bool = false) -> EventReader? {
        state.withLock { state in
            guard !state.isClosed, state.readers.count < Self.readerLimit else { return nil }
            let number = state.nextReader
            state.nextReader += 1
            let reader = EventReader(hidesSecrets: hidesSecrets) { [weak self] in self?.remove(number) }
            state.readers[number] = reader
            return reader
        }
    }

    private func remove(_ number: Int) { state.withLock { $0.readers[number] = nil } }

    package func note(_ changes: [FlowChange]) {
        let readers = state.withLock { state in
            state.told &+= 1
            return Array(state.readers.values)
        }
        guard !readers.isEmpty else { return }
        var flows: [Flow] = []
        for case .flow(let flow) in changes { flows.append(flow) }
        guard !flows.isEmpty else { return }
        for reader in readers { reader.note(flows) }
    }

    /// Flows have gone, or came from elsewhere.
    func noteReload() { for reader in current { reader.noteReload() } }

    /// - Parameter count: of flows, messages and connections that are not in the store, since the start.
    func noteDropped(_ count: Int) { for reader in current { reader.noteDropped(count) } }

    private var current: [EventReader] { state.withLock { Array($0.readers.values) } }

    func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.close() }
    }
}
