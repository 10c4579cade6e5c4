import Facts
import Loop
import Wire

/// Hands exchanges over to another thread, and never makes a connection wait for it.
///
///     let feed = ExchangeFeed { semaphore.signal() }     // called on a loop, must not block
///     configuration.tap = feed
///     // on a thread of its own, whenever it was woken:
///     let batch = feed.take()
///
/// What is not taken in time piles up to a limit. Then bytes of bodies are left out, and counted in their place; all
/// else is kept, as nothing could be read without it. A connection that piles up too much of that is cut off. Loops look
/// for room before they add, so that they together may exceed a limit by what each has just received.
package final class ExchangeFeed: ExchangeTap {
    package struct Limits: Hashable, Sendable {
        /// Of everything that waits; beyond it bodies are left out, and those of one connection beyond twice what is free
        /// besides. A recorder that stops for the 100 ms of a slow disk's flush misses nothing at 2.5 Gbit/s.
        package var total = 32 * 1024 * 1024
        /// Of what cannot be left out, over all connections; beyond it new ones are not followed.
        package var rest = 40 * 1024 * 1024
        /// The same for one connection: a gigabyte in HTTP/2's usual frames, or a million of a WebSocket's smallest, come
        /// through while the recorder has no turn.
        package var connectionRest = 8 * 1024 * 1024

        package init() {}
    }

    /// What one connection may hold, of what is free besides.
    ///
    /// Whoever floods loses of its own (dynamic thresholds, Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2),
    /// 1998).
    struct Share {
        var parts: Int
        var of: Int

        /// How much more somebody may hold, so that all of it is no more than its share of what is free then.
        func room(of free: Int, holding held: Int) -> Int { (parts * free - of * held) / (parts + of) }
    }

    /// One alone has two thirds of all.
    static let bodyShare = Share(parts: 2, of: 1)
    /// One alone has a fifth, and ten that flood one after the other, while the recorder has no turn, leave a tenth of it:
    /// who has no room for this is cut off.
    static let restShare = Share(parts: 1, of: 4)

    /// What an event costs besides its bytes: its place in the list and an array's header.
    static let eventCost = 128
    /// What a connection costs that carries nothing: its beginning with what is known of it by then, some 700 bytes
    /// besides what many have in common, and its end.
    static let connectionCost = 8 * eventCost

    private struct Queue {
        var batch = ExchangeBatch()
        /// Of everything in the batch, and of what cannot be left out.
        var total = 0
        var rest = 0
        /// Counts the batches.
        var number = 0
        var isClosed = false
    }

    /// How much may be added, as it was a moment ago.
    struct Room {
        var total: Int
        var rest: Int
        /// The batch that is being filled.
        var batch: Int
    }

    /// Where an event waits.
    struct Place: Hashable {
        var batch: Int
        var index: Int
    }

    let limits: Limits
    private let queue = Locked(Queue())
    private let wakeUp: @Sendable () -> Void
    private let hurry: @Sendable () -> Void

    /// - Parameters:
    ///   - wakeUp: called when there is something to take, once until it is taken, on a loop's thread.
    ///   - hurry: called when so much has passed that it should be taken at once, once until it is taken, on a loop's thread.
    package init(
        limits: Limits = Limits(), wakeUp: @escaping @Sendable () -> Void = {},
        hurry: @escaping @Sendable () -> Void = {}
    ) {
        self.limits = limits
        self.hurry = hurry
        self.wakeUp = wakeUp
    }

    package func began(_ connection: ExchangeConnection) -> (any ExchangeListener)? {
        let limit = limits.rest
        let (isFollowed, wakes) = queue.withLock { queue -> (Bool, Bool) in
            guard !queue.isClosed else { return (false, false) }
            let wakes = queue.batch.isEmpty
            // It will end as well, and that is told whatever waits by then.
            let cost = Self.connectionCost
            guard queue.rest + cost <= limit else {
                queue.batch.missed += 1
                return (false, wakes)
            }
            queue.batch.events.append(ExchangeEvent(connection.number, .began(connection)))
            queue.rest += cost
            queue.total += cost
            return (true, wakes)
        }
        if wakes { wakeUp() }
        guard isFollowed else { return nil }
        return connection.isOpaque ? CountedConnection(connection.number, self) : FollowedConnection(connection, self)
    }

    /// Everything that has happened since this was called last. It is the caller's from now on, and beside it as much
    /// can pile up again.
    package func take() -> ExchangeBatch {
        queue.withLock { queue in
            let batch = queue.batch
            queue.batch = ExchangeBatch()
            queue.total = 0
            queue.rest = 0
            queue.number += 1
            return batch
        }
    }

    /// Nobody takes anything any more: what waits is let go of, and nothing is added.
    package func close() {
        queue.withLock { queue in
            queue.batch = ExchangeBatch()
            queue.isClosed = true
        }
    }

    // MARK: For connections

    /// nil: nobody listens any more.
    func room() -> Room? {
        let limits = limits
        return queue.withLock { queue in
            guard !queue.isClosed else { return nil }
            return Room(total: limits.total - queue.total, rest: limits.rest - queue.rest, batch: queue.number)
        }
    }

    /// - Parameters:
    ///   - total: what the events cost.
    ///   - rest: how much of that cannot be left out.
    ///   - marker: the connection's last event, if that tells of bytes left out or counted: where it still waits, and the
    ///     first of the new ones is its like, the two become one.
    /// - Returns: where the last event is.
    func add(_ events: [ExchangeEvent], total: Int, rest: Int, after marker: Place? = nil) -> Place {
        let much = limits.total / 8
        let (place, wakes, hurries) = queue.withLock { queue -> (Place, Bool, Bool) in
            guard !queue.isClosed else { return (Place(batch: queue.number, index: 0), false, false) }
            let wakes = queue.batch.isEmpty
            let hurries = queue.total < much && queue.total + total >= much
            queue.total += total
            queue.rest += rest
            var events = events[...]
            if let marker, marker.batch == queue.number, let first = events.first,
                let joined = Self.joined(queue.batch.events[marker.index], first)
            {
                queue.batch.events[marker.index] = joined
                events = events.dropFirst()
                if events.isEmpty { return (marker, false, hurries) }
            }
            queue.batch.events += events
            return (Place(batch: queue.number, index: queue.batch.events.count - 1), wakes, hurries)
        }
        if wakes { wakeUp() }
        if hurries { hurry() }
        return place
    }

    private static func joined(_ marker: ExchangeEvent, _ next: ExchangeEvent) -> ExchangeEvent? {
        guard marker.connection == next.connection else { return nil }
        switch (marker.kind, next.kind) {
        case (.shed(let direction, let count, _), .shed(let other, let more, let at)) where direction == other:
            return ExchangeEvent(marker.connection, .shed(direction, count + more, at: at))
        case (.counted, .counted): return next
        default: return nil
        }
    }
}
