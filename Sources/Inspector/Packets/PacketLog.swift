import Evidence
import Facts
import Flows
import Formats
import Loop
import Proxy

/// The client's leg as it is on the wire, in a file that Wireshark opens decrypted.
///
///     let packets = try PacketLog(path) { console.warn($0) }
///     configuration.wire = packets
///     configuration.keyLog = { leg, line in if leg == .client { packets.add(secret: line) } }
///     …
///     packets.close()
///
/// It is written by a thread of its own, and no connection waits for that: what a slow disk does not take in time is left out
/// and counted. Blocks are written whole, so that what is there after a kill can be read. A full disk ends it, with one message.
package final class PacketLog: WireTap, Sendable {
    enum Event {
        case began(UInt64, client: SocketAddress, proxy: SocketAddress, at: Double)
        case passed(UInt64, ExchangeDirection, [UInt8], at: Double)
        case missed(UInt64, ExchangeDirection, Int)
        case ended(UInt64, ExchangeDirection, at: Double)
        case reset(UInt64, by: ExchangeDirection, at: Double)
        /// Nothing more comes of it.
        case closed(UInt64)
        case secret([UInt8])
    }

    struct Queue {
        var events: [Event] = []
        /// What they cost.
        var size = 0
        var isClosing = false
        /// Nobody takes anything any more.
        var isDone = false
        var connections: UInt64 = 0
        var dropped = Dropped()
    }

    /// What there was no room for.
    package struct Dropped: Hashable, Sendable {
        package var bytes = 0
        /// In so many pieces.
        package var pieces = 0
        package var connections = 0

        fileprivate mutating func add(_ count: Int) {
            bytes += count
            pieces += 1
        }
    }

    /// Of what waits for the disk: a stop of 100 ms costs nothing at 2.5 Gbit/s.
    static let limit = 32 * 1024 * 1024
    /// The same with what cannot be left out, as nothing could be read without it: ends, and secrets.
    static let hardLimit = 40 * 1024 * 1024
    /// Of an event besides its bytes.
    static let eventCost = 96
    /// Seconds in which events gather: a busy proxy wakes this thread 50 times a second and not 10,000 times.
    static let pause = 0.02

    package let path: String
    private let queue = Locked(Queue())
    private let thread: WorkerThread
    private let capture: CaptureFile?

    /// - Parameter tell: called once with what went wrong, should anything, on the thread that writes.
    package convenience init(_ path: String, tell: @escaping @Sendable (String) -> Void) throws {
        let capture = try CaptureFile.open(path)
        try self.init(path, capture, tell: tell) { bytes throws(SystemError) in try capture.file.write(bytes) }
    }

    init(
        _ path: String, _ capture: CaptureFile? = nil,
        clock: FlowClock = FlowClock(unix: WallClock.now, monotonic: MonotonicClock.now),
        tell: @escaping @Sendable (String) -> Void,
        write: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void
    ) throws {
        self.path = path
        self.capture = capture
        let queue = queue
        thread = try WorkerThread(name: "packets") { alarm in
            var writer = PacketWriter(clock: clock)
            while true {
                alarm.sleep()
                // What follows at once is taken together.
                if !queue.withLock({ $0.isClosing }) { alarm.sleep(seconds: Self.pause) }
                let batch = queue.withLock { queue in
                    defer {
                        queue.events = []
                        queue.size = 0
                    }
                    return queue
                }
                do throws(SystemError) {
                    try writer.write(batch.events, write)
                    if batch.isClosing { try writer.finish(batch.dropped, at: MonotonicClock.now, write) }
                } catch {
                    queue.withLock { queue in
                        queue.isDone = true
                        queue.events = []
                    }
                    return tell(
                        "\(path): cannot write packets: \(Files.reason(error)); the capture ends here, and the proxy goes on"
                    )
                }
                if batch.isClosing { return }
            }
        }
        // The beginning is on disk before the first connection is.
        thread.wake()
    }

    package func accepted(from client: SocketAddress, at local: SocketAddress) -> (any StreamWitness)? {
        let now = MonotonicClock.now
        let (number, wakes) = queue.withLock { queue -> (UInt64?, Bool) in
            guard !queue.isDone, !queue.isClosing else { return (nil, false) }
            guard queue.size < Self.limit else {
                queue.dropped.connections += 1
                return (nil, false)
            }
            let number = queue.connections
            queue.connections += 1
            queue.events.append(.began(number, client: client, proxy: local, at: now))
            // Its ends will have room, whatever waits by then.
            queue.size += 4 * Self.eventCost
            return (number, queue.events.count == 1)
        }
        if wakes { thread.wake() }
        return number.map { LoggedStream($0, self) }
    }

    /// Takes a line of a key log, without its newline.
    package func add(secret line: [UInt8]) { add(.secret(line), size: line.count + Self.eventCost, isNeeded: true) }

    /// What there was no room for, so far.
    package var dropped: Dropped { queue.withLock { $0.dropped } }

    /// Writes what waits, and the end; nothing is taken after it.
    package func close() {
        queue.withLock { $0.isClosing = true }
        thread.wake()
        thread.join()
        queue.withLock { $0.isDone = true }
        capture?.release()
    }

    /// It has begun: the capture that stood there before is gone for good.
    package func keep() { capture?.keep() }

    /// After `close`, where nothing was to be captured after all: what stood there before is there again.
    package func giveBack() { capture?.giveBack() }

    // MARK: For connections

    /// - Returns: false where there was no room for it, and it was counted.
    @discardableResult
    func add(_ event: Event, size: Int = 0, isNeeded: Bool = false) -> Bool {
        let (isTaken, wakes) = queue.withLock { queue -> (Bool, Bool) in
            guard !queue.isDone, !queue.isClosing else { return (true, false) }
            guard queue.size + size <= (isNeeded ? Self.hardLimit : Self.limit) else {
                if case .passed(_, _, let bytes, _) = event { queue.dropped.add(bytes.count) }
                return (false, false)
            }
            queue.events.append(event)
            queue.size += size
            return (true, queue.events.count == 1)
        }
        if wakes { thread.wake() }
        return isTaken
    }

    func hasRoom(_ size: Int) -> Bool { queue.withLock { $0.size + size <= Self.limit } }

    /// So many bytes are left out.
    func drop(_ count: Int) { queue.withLock { $0.dropped.add(count) } }
}
