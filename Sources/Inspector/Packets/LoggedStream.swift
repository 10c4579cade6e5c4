import Facts
import Loop

/// One connection that is logged; lives on its loop.
final class LoggedStream: StreamWitness {
    private let log: PacketLog
    private let number: UInt64
    /// Came in, and is being handled: its secrets, if it leads to any, are written before it.
    private var held: (bytes: [UInt8], at: Double)?
    /// There was no room for so many bytes since the last that there was room for.
    private var missed: [ExchangeDirection: Int] = [:]
    private var isOver = false

    init(_ number: UInt64, _ log: PacketLog) {
        self.number = number
        self.log = log
    }

    func received(_ bytes: Span<UInt8>) {
        settled()
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        held = (copy, MonotonicClock.now)
    }

    func settled() {
        guard let held else { return }
        self.held = nil
        add(held.bytes, .up, at: held.at)
    }

    func sent(_ bytes: Span<UInt8>) {
        settled()
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        add(copy, .down, at: MonotonicClock.now)
    }

    func peerEnded() { end(.ended(number, .up, at: MonotonicClock.now)) }

    func ended() { end(.ended(number, .down, at: MonotonicClock.now)) }

    func failed(_ error: SystemError) {
        // A peer that answers nothing has said nothing: there is no packet to show.
        if !error.isTimeout { end(.reset(number, by: .up, at: MonotonicClock.now)) }
    }

    func closed(byReset: Bool) {
        let now = MonotonicClock.now
        end(byReset ? .reset(number, by: .down, at: now) : .ended(number, .down, at: now))
        isOver = true
        log.add(.closed(number), isNeeded: true)
    }

    private func end(_ event: PacketLog.Event) {
        settled()
        guard !isOver else { return }
        tellMissed()
        log.add(event, isNeeded: true)
    }

    private func add(_ bytes: [UInt8], _ direction: ExchangeDirection, at now: Double) {
        let size = bytes.count + PacketLog.eventCost
        if !missed.isEmpty {
            // What is missing has to be told first, and only once there is room for what comes after it.
            guard log.hasRoom(size + 2 * PacketLog.eventCost) else {
                log.drop(bytes.count)
                return miss(bytes.count, direction)
            }
            tellMissed()
        }
        if !log.add(.passed(number, direction, bytes, at: now), size: size) { miss(bytes.count, direction) }
    }

    private func miss(_ count: Int, _ direction: ExchangeDirection) { missed[direction, default: 0] += count }

    private func tellMissed() {
        for (direction, count) in missed { log.add(.missed(number, direction, count), isNeeded: true) }
        missed = [:]
    }
}
