import Facts
import Loop
import TLS

/// What looks on at the bytes in the clear, and what may stand between them.
///
/// The way of each byte: `TLSSession.receive`, the layer if there is one, `send`, and from there both into the taps and
/// into the other side's `TLSSession.write`.
extension Connection: MessagePort {
    /// Plaintext begins, or what is let pass; nothing, where it has begun.
    ///
    /// - Parameter refused: whom a request was for that was not accepted.
    /// - Parameter came: when what comes first of it came; nil: now.
    func beginTaps(for refused: Endpoint? = nil, at came: Double? = nil) {
        guard !hasTaps else { return }
        hasTaps = true
        if evidence.tunnel == nil, let host = intake.host { reader = worker.readers?(host, clientTLS?.negotiated) }
        guard worker.tap != nil || worker.layers != nil else { return }
        var facts = ExchangeConnection(
            number: number, accepted: at, began: came ?? now, via: intake.request?.via ?? .unknown,
            host: intake.host, target: intake.request?.target ?? refused, client: client.address?.endpoint,
            clientName: machine.clientName, negotiated: clientTLS?.negotiated)
        facts.isOpaque = evidence.tunnel != nil
        approach?.clientHandshake.end()
        if let approach {
            facts.hello = approach.hello
            facts.durations = approach.durations
            facts.origin = originFacts(ja4: approach.ja4)
        }
        // A request that is shown while its origin is called has the rest of its way to come.
        if approach?.connect.isRunning != true { approach = nil }
        follower = worker.tap?.began(facts)
        // A plain request is whole without more from its client, which may have ended while the origin was called.
        if machine.ends.client { tellClientEnded(at: now) }
        layer = clientTLS == nil ? nil : worker.layers?(facts)
    }

    private func originFacts(ja4: String?) -> ExchangeConnection.Origin {
        var facts = ExchangeConnection.Origin(
            address: origin?.address?.endpoint, negotiated: originTLS?.negotiated, ja4: ja4,
            chain: originTLS?.originChain.map { worker.chainFacts.facts(of: $0) } ?? [])
        facts.proxy = upstreamProxy?.endpoint
        return facts
    }

    /// The origin is there of a request that was shown before.
    func tellConnected() {
        guard hasTaps, let approach else { return }
        follower?.connected(originFacts(ja4: nil), took: approach.connect.milliseconds, at: MonotonicClock.now)
        self.approach = nil
    }

    func endTaps(_ close: Observation.Close?, isAnswerLost: Bool) {
        follower?.ended(close, isAnswerLost: isAnswerLost, at: MonotonicClock.now)
        reader?.ended(close, isAnswerLost: isAnswerLost, at: MonotonicClock.now)
        follower = nil
        reader = nil
        layer = nil
    }

    /// Only where it is the first to end: what answers the origin's end says nothing about the answer.
    func tellClientEnded(at now: Double) {
        if machine.ends.first == nil || machine.clientEndedFirst { follower?.clientEnded(at: now) }
    }

    /// The client was sent something after its own end, or has it still to come.
    func noteSentAfterEnd() { if machine.clientEndedFirst { sentAfterEnd = client.writtenCount } }

    /// Whether a client that has ended has still to acknowledge what it was sent after that.
    private var isAnswerAwaited: Bool {
        guard let sentAfterEnd, let acknowledged = client.acknowledgedCount else { return false }
        return acknowledged < sentAfterEnd
    }

    /// It will not: it has reset the connection. Of one that only reads slowly, or not at all, nothing is known.
    var isAnswerLost: Bool { hasClientFailed && (isAnswerAwaited || isMuchUnacknowledged) }

    /// More than a client can have taken whose acknowledgement was still to come.
    var isMuchUnacknowledged: Bool { client.unacknowledged ?? 0 > Self.acknowledgedTogether }

    /// Bytes. TCP acknowledges every other segment (RFC 9293 §3.8.6.3), and those of the loopback have 64 KiB.
    private static let acknowledgedTogether = 256 * 1024

    /// An earlier answer is taken, or lost with the connection, or its client goes on as if it were.
    func endUntaken() {
        let isLost = hasClientFailed && isMuchUnacknowledged
        untaken?.follower.ended(untaken?.close, isAnswerLost: isLost, at: MonotonicClock.now)
        untaken = nil
    }

    func weighDelivery() {
        guard isAnswerAwaited else { return handle(.delivered) }
        // A slow reader is not an idle one.
        if let acknowledged = client.acknowledgedCount, acknowledged > acknowledgedBefore {
            acknowledgedBefore = acknowledged
            machine.received(at: now)
        }
        client.noticeReset()
    }

    /// A layer's: it may come at any time, not only while something is received.
    func send(_ bytes: Span<UInt8>, _ direction: ExchangeDirection) {
        if !isReceiving { now = MonotonicClock.now }
        pass(bytes, direction)
        guard !isReceiving else { return }
        flushOrigin()
        flushClient()
    }

    /// A direction ends, so what a layer keeps of it goes out before that is told.
    func endLayer(_ direction: ExchangeDirection) {
        guard let layer, layerEnds.insert(direction).inserted else { return }
        layer.ended(direction, self)
        flushOrigin()
        flushClient()
    }

    /// Sends on what a side said, or what a layer made of it; the caller flushes.
    func pass(_ bytes: Span<UInt8>, _ direction: ExchangeDirection) {
        // Before it goes out: what a side does because of it comes after.
        look(bytes, direction)
        switch direction {
        // Also after the origin's FIN: it may go on reading.
        case .up: if let originTLS, origin != nil { originTLS.write(bytes) }
        case .down:
            clientTLS?.write(bytes)
            carried(.origin)
        }
    }

    func look(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, isShown: Bool = false) {
        evidence.passed(bytes, direction, at: now)
        redirect?.passed(bytes, direction, at: now)
        reader?.passed(bytes, direction, at: now)
        if !isShown { follower?.passed(bytes, direction, at: now) }
    }
}
