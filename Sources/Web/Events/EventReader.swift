import Facts
import Flows
import Inspector
import Loop

/// What one page is to be told, until its connection takes it.
///
/// Of each flow only what it is now. A page that takes nothing for so long that too much would be kept is told to ask for
/// all of it again.
final class EventReader: Sendable {
    /// Rows that are kept for a page that does not take them; some 5 MB.
    static let rowLimit = 5000
    /// Bytes of heads of these: as many as rows of usual size have, so that large ones are no way to fill the memory.
    static let headLimit = 32 << 20
    /// Rows in one message: a page draws them in one frame.
    static let messageLimit = 1000
    /// Seconds between two messages.
    static let pause = 0.05

    enum Message: Hashable, Sendable {
        case text(String)
        /// To a ping (RFC 6455 §5.5.3), with its payload.
        case pong([UInt8])
    }

    private struct State {
        var flows: [Int64: Flow] = [:]
        /// In the order in which they changed first.
        var order: [Int64] = []
        /// Of the flows' heads.
        var headBytes = 0
        var dropped: Int?
        var mustReload = false
        var isClosed = false
        var ping: [UInt8]?
        /// When the last message was taken, on the monotonic clock.
        var lastTaken = -Double.infinity
        var waiting: CheckedContinuation<Void, Never>?

        mutating func reload() { (flows, order, headBytes, mustReload) = ([:], [], 0, true) }

        var hasWork: Bool { mustReload || dropped != nil || !order.isEmpty || isClosed || ping != nil }
    }

    private let state = Locked(State())
    private let hidesSecrets: Bool
    private let onClose: @Sendable () -> Void

    /// - Parameter hidesSecrets: of what is shown, they are `[redacted]`.
    init(hidesSecrets: Bool = false, onClose: @escaping @Sendable () -> Void = {}) {
        self.hidesSecrets = hidesSecrets
        self.onClose = onClose
    }

    func note(_ flows: [Flow]) {
        change { state in
            if state.mustReload { return }
            for flow in flows {
                state.headBytes += flow.headBytes
                if let old = state.flows.updateValue(flow, forKey: flow.id) {
                    state.headBytes -= old.headBytes
                } else {
                    state.order.append(flow.id)
                }
            }
            if state.order.count > Self.rowLimit || state.headBytes > Self.headLimit { state.reload() }
        }
    }

    func noteReload() { change { $0.reload() } }

    func noteDropped(_ count: Int) { change { $0.dropped = count } }

    /// Answered with the next message; of several the last one.
    func notePing(_ payload: [UInt8]) { change { $0.ping = payload } }

    /// Nothing is told any more.
    func close() {
        change { $0.isClosed = true }
        onClose()
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            body(&state)
            guard state.hasWork else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// The next message; waits for one. nil once it is closed. One at a time.
    func next() async -> Message? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    if !state.hasWork { state.waiting = continuation }
                    return !state.hasWork
                }
                if !mustWait { continuation.resume() }
            }
            let early = state.withLock { $0.lastTaken + Self.pause - MonotonicClock.now }
            if early > 0 { try? await Task.sleep(for: .seconds(early)) }
        } onCancel: {
            close()
        }
        let (message, flows) = state.withLock { state -> (Message?, [Flow]) in
            state.lastTaken = MonotonicClock.now
            return Self.message(&state)
        }
        // Here: whoever tells of flows must not wait for it.
        return flows.isEmpty ? message : .text(rows(flows))
    }

    private func rows(_ flows: [Flow]) -> String {
        var json = JSONWriter(reserving: flows.count * 256)
        json.beginObject()
        json.field("event", "flows")
        json.key("flows")
        json.beginArray()
        for flow in flows { FlowSight.shown(flow, hidesSecrets: hidesSecrets).writeRow(to: &json) }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Or the flows that the next one is of.
    private static func message(_ state: inout State) -> (Message?, [Flow]) {
        if state.isClosed { return (nil, []) }
        if let ping = state.ping {
            state.ping = nil
            return (.pong(ping), [])
        }
        if state.mustReload {
            state.mustReload = false
            return (.text(#"{"event":"reload"}"#), [])
        }
        if let count = state.dropped {
            state.dropped = nil
            return (.text(#"{"event":"dropped","count":\#(count)}"#), [])
        }
        let ids = Array(state.order.prefix(messageLimit))
        state.order.removeFirst(ids.count)
        let flows = ids.compactMap { state.flows.removeValue(forKey: $0) }
        for flow in flows { state.headBytes -= flow.headBytes }
        return (nil, flows)
    }
}

extension Flow {
    fileprivate var headBytes: Int {
        [request, response].compactMap(\.self).reduce(url?.utf8.count ?? 0) { sum, side in
            side.informational.reduce(sum + side.headers.byteCount + side.trailers.byteCount) {
                $0 + $1.headers.byteCount
            }
        }
    }
}
