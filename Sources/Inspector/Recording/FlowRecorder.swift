import Facts
import Flows
import Loop
import Proxy
import TLS

/// Turns what passes through the proxy into flows, on a thread of its own.
///
///     let recorder = try FlowRecorder(tools: { .linked }, newID: { writer.nextID() }) { changes in … }
///     configuration.tap = recorder.feed
///     configuration.observe = { recorder.note($0) }
///     …
///     await recorder.finish()
///
/// No connection waits for it: what it does not take in time is shed by the feed, and counted.
package final class FlowRecorder: Sendable {
    package typealias Sink = @Sendable ([FlowChange]) -> Void
    /// How much is kept of what is said with a host.
    package typealias Limits = @Sendable (HostName?) -> ConnectionRecorder.Limits

    /// What the proxy's tap writes into.
    package let feed: ExchangeFeed
    private let thread: LoopThread<Recording>
    private let finished: Locked<Finished>
    private let missedCount: Locked<Int>
    private let shedCount: Locked<Int>

    private struct Finished {
        var observations: [Observation] = []
        /// Observations for which there was no room.
        var missed = 0
    }

    /// Connections that are over and not looked at yet: some 5 MB, a second of the fastest benchmark.
    static let observationLimit = 10_000

    /// - Parameters:
    ///   - waiting: how much may wait for it.
    ///   - limits: called on the recorder's thread, once for each connection.
    ///   - newID: called for each flow that begins, on the recorder's thread.
    ///   - sink: told of what has changed, in order, on the recorder's thread; must not block for long.
    package init(
        waiting: ExchangeFeed.Limits = ExchangeFeed.Limits(), limits: @escaping Limits = { _ in .init() },
        tools: @escaping @Sendable () -> DecodingTools,
        clock: FlowClock = FlowClock(unix: WallClock.now, monotonic: MonotonicClock.now),
        newID: @escaping @Sendable () -> Int64, sink: @escaping Sink
    ) throws {
        let finished = Locked(Finished())
        self.finished = finished
        let missedCount = Locked(0)
        self.missedCount = missedCount
        let shedCount = Locked(0)
        self.shedCount = shedCount
        thread = try LoopThread(name: "recorder") { loop in
            Recording(loop, limits: limits, tools: tools(), clock: clock, newID: newID, sink: sink)
        }
        feed = ExchangeFeed(
            limits: waiting, wakeUp: { [thread] in thread.submit { $0.arm() } },
            hurry: { [thread] in thread.submit { $0.hurry() } })
        thread.submit { [feed] recording in
            recording.onShed = { count in shedCount.withLock { $0 += count } }
            recording.take = {
                // First what is over, so that all that it carried is in the batch.
                let over = finished.withLock { finished in
                    defer { finished = Finished() }
                    return finished
                }
                let batch = feed.take()
                if batch.missed + over.missed > 0 { missedCount.withLock { $0 += batch.missed + over.missed } }
                return (batch, over.observations)
            }
        }
    }

    /// Takes a connection that is over, from any thread.
    package func note(_ connection: Observation) {
        let isFirst = finished.withLock { finished in
            guard finished.observations.count < Self.observationLimit else {
                finished.missed += 1
                return false
            }
            finished.observations.append(connection)
            return finished.observations.count == 1
        }
        if isFirst { thread.submit { $0.arm() } }
    }

    /// Connections of which nothing is told, as there was no room for them.
    package var missed: Int { missedCount.withLock { $0 } }

    /// Bytes of bodies that were left out, as there was no room for them.
    package var shed: Int { shedCount.withLock { $0 } }

    /// Looks at what has come until now, without waiting for more of it, and returns when all of it has been told.
    package func catchUp() async {
        await thread.run { recording, done in
            recording.hurry()
            done()
        }
    }

    /// Ends what is still open, tells it, and stops; nothing is taken after it.
    package func finish() async {
        await thread.run { recording, done in
            recording.finish()
            done()
        }
        feed.close()
        thread.stop()
    }
}

/// The recorder's own state; lives on its thread.
final class Recording {
    /// An object: it is large, and looked up with every event.
    private final class Connection {
        var recorder: ConnectionRecorder
        /// Its end was told.
        var isOver = false

        init(_ recorder: ConnectionRecorder) { self.recorder = recorder }
    }

    /// Seconds in which changes gather: short enough for a person who watches an event stream, long enough that a busy
    /// proxy wakes this thread 25 times a second and not 10,000 times.
    static let pause = 0.04
    /// Bytes after which what has ended in them is told, though more waits: whoever is behind tells what it has, and a
    /// process that is killed has lost the less.
    static let slice = 256 << 10
    /// Bytes in one turn by which it is busy: then flows that go on are told only when they are so many seconds old.
    static let busy = (bytes: 1 << 20, age: 0.1)
    /// Connections that are over, and whose observations have not come yet.
    static let waitingLimit = 20_000

    /// What has come since it was asked last.
    var take: () -> (ExchangeBatch, over: [Observation]) = { (ExchangeBatch(), []) }
    /// Told how many bytes were left out.
    var onShed: (Int) -> Void = { _ in }
    private let loop: EventLoop
    private var timer: LoopTimer?
    private let newID: () -> Int64
    private let limits: FlowRecorder.Limits
    private let tools: DecodingTools
    private let clock: RunningClock
    private let sink: FlowRecorder.Sink
    private var connections: [UInt64: Connection] = [:]
    /// Connections with flows that were not told yet.
    private var held: [UInt64] = []
    /// Of the connections that are over, until their observations come.
    private var carried: [UInt64: Carried] = [:]

    private struct Carried {
        /// It had flows of its own.
        var hasFlows: Bool
        /// One of them that was cut off, and nobody knows why.
        var unexplained: Flow?
    }

    init(
        _ loop: EventLoop, limits: @escaping FlowRecorder.Limits, tools: DecodingTools, clock: FlowClock,
        newID: @escaping () -> Int64, sink: @escaping FlowRecorder.Sink
    ) {
        self.loop = loop
        self.newID = newID
        self.limits = limits
        self.tools = tools
        self.clock = RunningClock(clock)
        self.sink = sink
    }

    /// There is something to take.
    func arm() {
        guard timer == nil else { return }
        timer = LoopTimer(on: loop, every: Self.pause) { [unowned self] in
            timer = nil
            drain()
        }
    }

    /// There is so much to take that it cannot wait for the timer.
    func hurry() {
        timer = nil
        drain()
    }

    func finish() {
        hurry()
        take = { (ExchangeBatch(), []) }
        var changes: [FlowChange] = []
        let now = MonotonicClock.now
        for number in connections.keys.sorted() {
            connections[number]?.recorder.end(by: nil, at: now)
            connections[number]?.recorder.take(into: &changes)
        }
        connections = [:]
        if !changes.isEmpty { sink(changes) }
    }

    private func drain() {
        clock.now = clock.now.following(unix: WallClock.now, monotonic: MonotonicClock.now)
        let (batch, over) = take()
        var changes: [FlowChange] = []
        var touched = held
        held = []
        // Since it was told last.
        var (all, waiting, first) = (0, 0, touched.count)
        for event in batch.events {
            if touched.count == first || touched.last != event.connection { touched.append(event.connection) }
            record(event)
            waiting += event.size + (connections[event.connection]?.recorder.takeHeadBytes() ?? 0)
            all += event.size
            if waiting >= Self.slice {
                tellEnded(touched[first...])
                (waiting, first) = (0, touched.count)
            }
        }
        let ends = Dictionary(over.map { ($0.connection, $0) }, uniquingKeysWith: { first, _ in first })
        let limit = all < Self.busy.bytes ? .infinity : MonotonicClock.now - Self.busy.age
        var seen: Set<UInt64> = []
        for number in touched where seen.insert(number).inserted {
            guard connections[number]?.isOver == true else {
                connections[number]?.recorder.take(into: &changes, begunBefore: limit)
                if connections[number]?.recorder.hasMore == true { held.append(number) }
                continue
            }
            if let failure = ends[number].flatMap({ FlowFailure($0, carriedExchange: true) }) {
                connections[number]?.recorder.explain(failure)
            }
            note(number, connections[number]?.recorder)
            connections[number]?.recorder.take(into: &changes)
            connections[number] = nil
        }
        for connection in over { note(connection, &changes) }
        if !changes.isEmpty { sink(changes) }
        if !held.isEmpty { arm() }
    }

    /// Flows of these connections that are over, if the connections go on: of those that do not, more may be known in the end.
    private func tellEnded(_ touched: ArraySlice<UInt64>) {
        var changes: [FlowChange] = []
        for number in Set(touched).sorted() where connections[number]?.isOver == false {
            connections[number]?.recorder.take(into: &changes, begunBefore: -.infinity)
        }
        if !changes.isEmpty { sink(changes) }
    }

    private func record(_ event: ExchangeEvent) {
        let number = event.connection
        switch event.kind {
        case .began(let facts):
            connections[number] = Connection(recorder(of: facts))
            if facts.isOpaque { connections[number]?.recorder.counted(up: 0, down: 0, at: facts.began) }
        case .connected(let origin, let took, let at):
            connections[number]?.recorder.connected(
                to: origin.address?.description, proxy: origin.proxy?.description, took: took, at: at)
        case .counted(let up, let down):
            connections[number]?.recorder.counted(up: up, down: down, at: MonotonicClock.now)
        case .passed(let direction, let bytes, let at): connections[number]?.recorder.read(bytes, direction, at: at)
        case .shed(let direction, let count, let at):
            onShed(count)
            connections[number]?.recorder.shed(count, direction, at: at)
        case .cut(_, _, let at): connections[number]?.recorder.cut(at: at)
        case .clientEnded(let at): connections[number]?.recorder.clientEnded(at: at)
        case .ended(let close, let isAnswerLost, let at):
            connections[number]?.recorder.end(by: close, isAnswerLost: isAnswerLost, at: at)
            connections[number]?.isOver = true
        }
    }

    private func recorder(of facts: ExchangeConnection) -> ConnectionRecorder {
        let clock = clock
        return ConnectionRecorder(
            ConnectionRecorder.Facts(facts), reader: ConnectionReader(alpn: facts.alpn, tools: tools),
            limits: limits(facts.host ?? facts.target?.host), tools: tools, clock: clock.now, newID: newID)
    }

    // MARK: Connections that came to nothing

    private func note(_ number: UInt64, _ recorder: ConnectionRecorder?) {
        // Their observations are never more than a moment away, so that this is no more than a guard.
        if carried.count >= Self.waitingLimit { carried.removeAll() }
        carried[number] = Carried(hasFlows: recorder?.isEmpty == false, unexplained: recorder?.unexplained)
    }

    private func note(_ connection: Observation, _ changes: inout [FlowChange]) {
        let known = carried.removeValue(forKey: connection.connection)
        guard known?.hasFlows == true else {
            if let flow = Flow(connection, id: newID) { changes.append(.flow(flow)) }
            return
        }
        // Told a moment after its connection's end.
        guard var flow = known?.unexplained, let failure = FlowFailure(connection, carriedExchange: true),
            failure.says(moreThan: flow)
        else {
            return
        }
        flow.failure = failure
        changes.append(.flow(flow))
    }
}

extension ExchangeEvent {
    /// About what it takes to read it: its bytes, and a little for itself.
    fileprivate var size: Int {
        if case .passed(_, let bytes, _) = kind { bytes.count + 256 } else { 256 }
    }
}

/// The recorder's, which all of its connections ask.
private final class RunningClock {
    var now: FlowClock

    init(_ now: FlowClock) { self.now = now }
}
