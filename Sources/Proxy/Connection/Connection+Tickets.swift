import Facts
import Loop
import Wire

/// A request of TLS 1.3 that is not ours waits for the server's session tickets (`TicketWait`).
extension Connection {
    struct HeldForTickets {
        var wait: TicketWait
        var bytes: [UInt8] = []
        /// There were too many.
        var isPaused = false
        /// The client has ended behind them.
        var hasClientEnded = false
        /// Looks whether they are due, while there are any.
        var timer: LoopTimer?
    }

    /// Copies what may pass of the client's bytes, and holds the rest.
    func copyBehindTickets(_ bytes: Span<UInt8>) {
        if tickets?.bytes.isEmpty == false {
            tickets?.bytes.append(copying: bytes)
            if tickets?.bytes.count ?? 0 > TicketWait.limit {
                tickets?.isPaused = true
                client.pause()
            }
            return
        }
        let count = tickets?.wait.fromClient(bytes, at: now) ?? bytes.count
        if tickets?.wait.isOver == true { tickets = nil }
        if count > 0 { copyNow(bytes.extracting(first: count), fromClient: true) }
        if tickets?.wait.isWaiting == true { origin?.acknowledge() }
        guard count < bytes.count, case .copying = machine.state else { return }
        tickets?.bytes.append(copying: bytes.extracting(droppingFirst: count))
        tickets?.timer = LoopTimer(on: worker.loop, every: TicketWait.tick) { [weak self] in self?.lookForTickets() }
    }

    /// The server has said something.
    func noteTickets() {
        tickets?.wait.fromServer(evidence.tunnel?.serverVersion, at: now)
        if tickets?.wait.isOver == true { return releaseTickets() }
        // Its next ticket may wait for that.
        if tickets?.wait.isWaiting == true { origin?.acknowledge() }
    }

    private func lookForTickets() {
        now = MonotonicClock.now
        if tickets?.wait.isDue(now) == true { releaseTickets() }
    }

    /// What was held back goes, and nothing more is held.
    func releaseTickets() {
        guard let held = tickets else { return }
        tickets = nil
        if !held.bytes.isEmpty { copyNow(held.bytes.span, fromClient: true) }
        guard case .copying = machine.state else { return }
        if held.isPaused, origin?.backlog ?? 0 <= ConnectionMachine.backlogLimit { client.resume() }
        if held.hasClientEnded { streamReachedEnd(client) }
    }

    /// Whether the client's end waits behind what it said.
    func holdsEnd() -> Bool {
        guard tickets?.bytes.isEmpty == false else { return false }
        tickets?.hasClientEnded = true
        return true
    }

    /// The connection is over: what was held back was said all the same.
    func countTickets() {
        guard let held = tickets else { return }
        tickets = nil
        if !held.bytes.isEmpty { evidence.passed(held.bytes.span, .up, at: now) }
    }
}
