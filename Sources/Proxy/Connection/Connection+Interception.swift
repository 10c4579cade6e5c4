import Facts
import Loop
import Policy
import TLS
import Wire

/// The client's side of an interception: what it makes of the forged chain, and the relay after that.
extension Connection {
    func replayHello() {
        let sent = intake.pending
        intake.pending = []
        approach?.clientHandshake.begin()
        clientSent(sent.span)
    }

    func clientSent(_ bytes: Span<UInt8>) {
        guard let clientTLS else { return }
        noteDelivery()
        evidence.cameFromClient(bytes)
        let wasFinished = clientTLS.isFinished
        let written = client.writtenCount
        var hasCarried = false
        isReceiving = true
        let status = clientTLS.receive(bytes) { plain in
            hasCarried = true
            // What comes together with the Finished is decrypted before the relay has begun.
            beginTaps()
            if let layer { layer.received(plain, .up, self) } else { pass(plain, .up) }
        }
        isReceiving = false
        notes.alerts(clientTLS)
        if clientTLS.trace.flightSent, case .none = flight {
            sendFlight(clientTLS)
        } else {
            flushClient()
        }
        if clientTLS.isFinished, !wasFinished {
            clientFinished(clientTLS)
            // Its request may wait until that has arrived (Nagle's algorithm, RFC 9293 §3.7.4). A server's tickets would say so.
            if !hasCarried, client.writtenCount == written { client.acknowledge() }
        }
        flushOrigin()
        if hasCarried { carried(.client) }
        if let answered = redirect, let answer = answered.answer, clientTLS.isFinished {
            redirect = nil
            if answered.isRedirect { notes.redirected() }
            pass(answer.span, .down)
            handle(.redirectSent)
        }
        switch status {
        case .handshaking, .open: break
        case .closeNotified:
            endLayer(.up)
            tellClientEnded(at: now)
            handle(.saidGoodbye(.client))
        case .failed(let reason):
            let isRefusal = clientTLS.trace.alerts.contains {
                $0.from == .client && !ConnectionNotes.harmlessAlerts.contains($0.code)
            }
            if !isRefusal { notes.fault("client: \(reason)") }
            handle(.broke(.client, isRefusal: isRefusal))
        }
    }

    /// Sends our certificate's flight; under attack its first bytes as a segment of its own.
    ///
    /// A receiver acknowledges at once when more than one segment's worth is waiting (RFC 9293 §3.8.6.3), and otherwise
    /// after some 40 ms. A client that refuses sooner, and by an RST because it leaves the end of the flight unread,
    /// would look as if nothing had reached it: Mono after 20 ms, GnuTLS over TLS 1.2 at once, and each only where the
    /// machine is quiet. The short segment comes first, as nobody can act on it. That the flight arrived does not say
    /// that it was read: a client that is killed meanwhile ends so too, and the judge asks of a bare RST that every cold
    /// start ends by one.
    private func sendFlight(_ session: TLSSession) {
        flight = .sent
        // Taken before it is sent: on another loop, what the client does next may be noted before this returns.
        let sent = notes.elapsed
        session.takeOutput { bytes in
            let start = splitsFlight ? min(Self.flightStart, bytes.count) : 0
            client.write(bytes.extracting(..<start))
            client.write(bytes.extracting(start...))
        }
        notes.flight(ms: sent)
        notes.resumption(session)
        handle(.flightSent)
    }

    /// Less than any record of a handshake.
    private static let flightStart = 8

    private func clientFinished(_ session: TLSSession) {
        flight = .delivered
        approach?.clientHandshake.end()
        notes.finishedHandshake(session)
        notes.resumption(session)
        handle(.clientFinished(speaksHTTP2: session.alpn == "h2"))
    }

    /// - Parameter greets: a server of HTTP/2 speaks first, and some clients wait for it: empty SETTINGS (RFC 9113 §3.4).
    func startRelaying(greets: Bool) {
        // What was read of the hello has done its work; a kept connection should not keep it.
        intake.hello = nil
        beginTaps()
        if !early.isEmpty {
            receivedDown(early.span)
            early = []
        }
        if greets {
            let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
            pass(settings.span, .down)
        }
        // Those of a near origin came while the client was still in its handshake.
        if handsOutTickets, let originTLS { clientTLS?.handOutTickets(like: originTLS) }
        flushClient()
        origin?.resume()
        handle(.relayBegan)
        guard let originTLS, !originTLS.isFinished else { return }
        // It had ended the handshake for want of a client certificate.
        notes.fault(.originHandshake)
        notes.fault("origin: it ended the handshake when it was shown no client certificate")
        handle(.broke(.origin, isRefusal: false))
    }

    func originSent(_ bytes: Span<UInt8>) {
        guard let originTLS else { return }
        var hasCarried = false
        isReceiving = true
        let status = originTLS.receive(bytes) { plain in
            hasCarried = true
            if case .presenting = machine.state { early.append(copying: plain) } else { receivedDown(plain) }
        }
        isReceiving = false
        if handsOutTickets { clientTLS?.handOutTickets(like: originTLS) }
        flushClient()
        if hasCarried { noteSentAfterEnd() }
        flushOrigin()
        switch status {
        case .handshaking, .open: break
        case .closeNotified:
            endLayer(.down)
            handle(.saidGoodbye(.origin))
        case .failed(let reason):
            if case .relaying(let exchange) = machine.state {
                // In TLS 1.3 a server says no to its client's certificate, or to none, when the client has finished.
                if !exchange.answered { notes.fault(.originHandshake) }
                notes.fault("origin: \(reason)")
            }
            handle(.broke(.origin, isRefusal: false))
        }
    }

    private func receivedDown(_ plain: Span<UInt8>) {
        if let layer { layer.received(plain, .down, self) } else { pass(plain, .down) }
    }

    /// Puts what the client's session has written on the wire, and holds the origin back where that piles up.
    func flushClient() {
        guard let clientTLS else { return }
        clientTLS.takeOutput { client.write($0) }
        if client.backlog > ConnectionMachine.backlogLimit { handle(.backedUp(.client)) }
    }

    /// Whether our flight has arrived: nothing of what was sent is unacknowledged. Asked whenever the client shows a
    /// sign of life or death after it.
    func noteDelivery() {
        guard case .sent = flight, client.unacknowledged == 0 else { return }
        flight = .delivered
        notes.flightDelivered()
    }
}
