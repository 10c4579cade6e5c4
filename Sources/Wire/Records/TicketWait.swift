import Facts

/// How long the first request in TLS 1.3 is held back, for session tickets to come first.
///
/// A server sends them as soon as it has the client's Finished, and most clients send a request in the same breath. Behind
/// that a ticket looks like an answer: an origin that answers nobody would pass for one that works. So whoever copies the
/// bytes holds back what follows the Finished until the server has said something and is silent for a moment, or has said
/// nothing for as long as it may take. It is asked before each piece is passed on; the clock is that of the caller.
///
/// There is nothing to wait for before TLS 1.3, and it is not waited where it is not clear which record is the Finished: with
/// early data, and behind a client's certificate. Clients that take no tickets are given some all the same, by OpenSSL.
package struct TicketWait {
    /// Seconds after which it is worth while to look again.
    package static let tick = 0.005
    /// Seconds of silence after which no further ticket is expected, or one and a half times as long as the ServerHello took.
    private static let quiet = 0.02
    /// Seconds, beside four times as long as the ServerHello took.
    private static let patience = 0.04
    /// Seconds, however slow the server is.
    private static let longest = 2.0
    /// Bytes that are held back at most.
    package static let limit = 1 << 18

    private enum State {
        case handshake
        case waiting(since: Double)
        case over
    }

    private var state = State.handshake
    private let helloAt: Double
    private var answeredAt: Double?
    /// Since the Finished, the last time that the server said something.
    private var heardAt: Double?
    private var isTLS13 = false
    private var header: [UInt8] = []
    /// Of the record at hand, bytes that are still to come.
    private var rest = 0
    private var isFinished = false

    /// nil: nothing is to be waited for.
    ///
    /// - Parameter now: when the hello is passed on, in seconds.
    package init?(_ hello: ClientHello, at now: Double) {
        guard hello.offers(.tls13), !hello.offersEarlyData else { return nil }
        helloAt = now
        header.reserveCapacity(5)
    }

    /// The Finished has passed.
    package var isWaiting: Bool {
        if case .waiting = state { true } else { false }
    }

    package var isOver: Bool {
        if case .over = state { true } else { false }
    }

    /// How many of the client's next bytes may pass; the rest is to be held back until it is due.
    ///
    /// Behind the Finished none passes on the spot, however late it is: after a stall the tickets may lie in a socket as well.
    package mutating func fromClient(_ bytes: Span<UInt8>, at now: Double) -> Int {
        switch state {
        case .over: return bytes.count
        case .waiting: return 0
        case .handshake: break
        }
        var at = 0
        while at < bytes.count {
            if rest > 0 {
                let step = min(rest, bytes.count - at)
                at += step
                rest -= step
                if rest == 0, isFinished {
                    state = .waiting(since: now)
                    return at
                }
                continue
            }
            header.append(bytes[at])
            at += 1
            guard header.count == 5 else { continue }
            rest = Int(header[3]) << 8 | Int(header[4])
            guard begins(type: header[0], length: rest) else {
                state = .over
                return bytes.count
            }
            header.removeAll(keepingCapacity: true)
        }
        return at
    }

    /// False where it is none, or says that there is nothing to wait for.
    private mutating func begins(type: UInt8, length: Int) -> Bool {
        guard (RecordType.changeCipherSpec...RecordType.applicationData).contains(type) else { return false }
        guard isTLS13, type == RecordType.applicationData else { return true }
        isFinished = (OpaqueDataTest.shortestFinished..<OpaqueDataTest.shortestCertificateFlight).contains(length)
        // An alert, or an empty Certificate.
        return isFinished || length < OpaqueDataTest.shortestFinished
    }

    /// The server has said something, which was looked at.
    ///
    /// - Parameter version: what it has chosen; nil before its ServerHello is whole.
    package mutating func fromServer(_ version: TLSVersion?, at now: Double) {
        if let version, answeredAt == nil {
            answeredAt = now
            isTLS13 = version >= .tls13
            if !isTLS13 { state = .over }
        }
        if case .waiting = state { heardAt = now }
    }

    /// What was held back can go.
    package func isDue(_ now: Double) -> Bool {
        switch state {
        case .handshake: return false
        case .over: return true
        case .waiting(let since):
            let roundTrip = (answeredAt ?? now) - helloAt
            if now - since >= Self.longest { return true }
            // The next ticket may wait for an acknowledgement of the one before.
            if let heardAt { return now - heardAt >= max(Self.quiet, 1.5 * roundTrip) }
            return now - since >= Self.patience + 4 * roundTrip
        }
    }
}
