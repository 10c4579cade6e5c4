import Facts
import Loop
import Policy
import TLS
import Wire

/// The client's side of an interception: the forged chain, what the client makes of it, and the relay after that.
extension Connection {
    func present(_ asked: Attack, _ askedVariant: Attack.Variant, for host: HostName) {
        let (attack, variant) = met(asked, askedVariant, host)
        note.attack = attack.id
        note.variant = variant.name
        conduct = variant.conduct
        guard let agreed = note.upstream?.negotiated, let genuine = originTLS?.originChain else {
            handle(.presentFailed("the origin showed no chain"))
            return
        }
        let version = conduct.version(agreed.version, offered: hello?.versions ?? [])
        do {
            let chain = try worker.forge.chain(
                for: host, attack: attack, variant: variant, rsaLeaf: usesRSALeaf(variant.recipe, version),
                genuine: genuine, now: note.at)
            worker.willPresent(chain)
            // An anonymous server has a chain as well, and shows none of it.
            note.presented = conduct.offer == .anonymous ? [] : chain.sha256s
            clientTLS = try serverContext().session(
                presenting: chain, version: version, alpn: agreed.alpn, for: host, in: worker.workspace)
        } catch {
            note.leftOut = (error as? ForgeError)?.isLimitOfCA ?? false
            handle(.presentFailed("cannot present \(attack.name(of: variant)): \(error)"))
            return
        }
        if conduct.answer != .relayed { takeLeaveOfOrigin() }
        stage = .presenting
        lastActivity = MonotonicClock.now
        let sent = pending
        pending = []
        client.resume()
        clientSent(sent.span)
    }

    func clientSent(_ bytes: Span<UInt8>) {
        guard let clientTLS else { return }
        noteDelivery()
        let wasFinished = clientTLS.isFinished
        let status = clientTLS.receive(bytes) { applicationData($0) }
        noteAlerts(clientTLS)
        if clientTLS.trace.flightSent, note.flight == nil {
            sendFlight(clientTLS)
        } else {
            flushClient()
        }
        if clientTLS.isFinished, !wasFinished { clientFinished(clientTLS) }
        flushOrigin()
        if redirect?.answer != nil { answerRedirect(clientTLS) }
        switch status {
        case .handshaking, .open: if heldEnd != nil, !mayHoldOriginEnd { passOnOriginEnd() }
        case .closeNotified:
            guard note.close == nil else { return }
            noteClose(by: .client, how: .closeNotify)
            // Whoever waits for an answer that never comes is told that none will.
            if conduct.answer != .relayed { return sayGoodbye(clientTLS) }
            originTLS?.closeNotify()
            flushOrigin()
            if heldEnd != nil { passOnOriginEnd() }
        case .failed(let reason):
            if !note.alerts.contains(where: { $0.from == .client && !Self.harmless.contains($0.code) }) {
                note.error = "client: \(reason)"
                // It is we who cannot go on: that the client closes after our alert is no refusal of its own.
                noteClose(by: .proxy, how: .aborted)
            }
            drain()
        }
    }

    /// Where it must be, and where it is asked for and can be.
    private func usesRSALeaf(_ recipe: Recipe, _ version: TLSVersion) -> Bool {
        guard let hello else { return false }
        return prefersRSALeaf(version) || recipe.key == .rsa && hello.takesRSALeaf(for: version)
            || recipe.key == .unusual && !hello.takesP384Leaf
    }

    private var presentsImitatedKey: Bool {
        let variants = note.attack.flatMap(AttackCatalogue.attack)?.variants
        return variants?.first { $0.name == note.variant }?.recipe.imitatesKey ?? false
    }

    /// Sends our certificate's flight; under `wrong-key` and its like its first bytes as a segment of its own.
    ///
    /// A receiver acknowledges at once when more than one segment's worth is waiting (RFC 9293 §3.8.6.3), and otherwise
    /// after some 40 ms. GnuTLS over TLS 1.2 refuses a wrong signature within one, without an alert and by an RST,
    /// because it leaves the end of the flight unread: it would look as if nothing had reached it. The short segment
    /// comes first, as nobody can act on it. Only here: under any other attack a client that is killed with the flight
    /// unread looks just like that, and must not be taken for one that refused.
    private func sendFlight(_ session: TLSSession) {
        let isSplit = presentsImitatedKey
        // Taken before it is sent: on another loop, what the client does next may be noted before this returns.
        let sent = elapsed
        session.takeOutput { bytes in
            let start = isSplit ? min(Self.flightStart, bytes.count) : 0
            client.write(bytes.extracting(..<start))
            client.write(bytes.extracting(start...))
        }
        note.flight = Observation.Flight(ms: sent, delivered: false)
        noteResumption(session)
    }

    /// A resumed handshake shows no certificate: how the client goes on is no answer to one.
    private func noteResumption(_ session: TLSSession) {
        note.resumed = session.isResumed
        if note.resumed { note.presented = [] }
    }

    /// Less than any record of a handshake.
    private static let flightStart = 8

    private func clientFinished(_ session: TLSSession) {
        note.finishedMS = elapsed
        // Only who has read our flight can answer it with a Finished.
        note.flight?.delivered = true
        note.negotiated = session.negotiated
        noteResumption(session)
        handle(.clientFinished)
    }

    func startRelaying() {
        stage = .relaying
        // What was read of the hello has done its work; a kept connection should not keep it.
        hello = nil
        if !early.isEmpty {
            deliver(early.span)
            early = []
        }
        if conduct.answer == .never { greet() }
        flushClient()
        origin?.resume()
        if originHasEnded { originEnded(.rst) }
    }

    /// Decrypted bytes from the client.
    private func applicationData(_ bytes: Span<UInt8>) {
        let isFirst = note.bytesUp == 0
        note.bytesUp += bytes.count
        if isFirst { noteFirst(bytes) }
        if isFirst || note.prefaceOnly {
            preface.feed(bytes)
            note.prefaceOnly = preface.isPrefaceOnly
        }
        redirect?.feed(bytes)
        // Also after the origin's FIN: it may go on reading.
        if let originTLS, origin != nil { originTLS.write(bytes) }
    }

    func originSent(_ bytes: Span<UInt8>) {
        guard let originTLS else { return }
        let status = originTLS.receive(bytes) { plain in
            if stage == .presenting { early.append(copying: plain) } else { deliver(plain) }
        }
        flushClient()
        flushOrigin()
        switch status {
        case .handshaking, .open: break
        case .closeNotified:
            guard stage == .relaying else { return }
            guard !mayHoldOriginEnd else {
                heldEnd = .closeNotify
                return
            }
            // Its FIN, or the client's, ends the connection; the good-bye is passed on at once.
            noteClose(by: .origin, how: .closeNotify)
            clientTLS?.closeNotify()
            flushClient()
        case .failed(let reason):
            guard stage == .relaying else { return }
            note.error = note.error ?? "origin: \(reason)"
            originEnded(.aborted)
        }
    }

    /// Encrypts for the client.
    func deliver(_ bytes: Span<UInt8>) {
        // Taken before it is sent, as for our flight: what the client does because of it comes after.
        if note.bytesDown == 0 { answered = elapsed }
        note.bytesDown += bytes.count
        clientTLS?.write(bytes)
        if !statusReader.isDone {
            statusReader.feed(bytes)
            note.status = statusReader.status
            note.statusMS = note.status.flatMap { _ in answered }
        }
        if beginsSession, note.bytesUp > 0, let host = note.host {
            beginsSession = false
            trial.sessionCarriedData(with: subject(host), now: MonotonicClock.now)
        }
    }

    /// Puts what the client's session has written on the wire, and holds the origin back where that piles up.
    func flushClient() {
        guard let clientTLS else { return }
        clientTLS.takeOutput { client.write($0) }
        guard client.backlog > Self.backlogLimit else { return }
        origin?.pause()
        if client.backlog > Self.backlogCeiling { client.pause() }
    }

    /// Alerts that end nothing but the client's own sending, whatever their level.
    private static let harmless = [AlertCode.closeNotify.rawValue, AlertCode.userCanceled.rawValue]

    // MARK: Notes

    /// Whether our flight has arrived: nothing of what was sent is unacknowledged. Asked whenever the client shows a
    /// sign of life or death after it (verdicts C14).
    func noteDelivery() {
        guard let flight = note.flight, !flight.delivered else { return }
        if client.unacknowledged == 0 { note.flight?.delivered = true }
    }

    private func noteAlerts(_ session: TLSSession) {
        let seen = session.trace.alerts
        guard seen.count > note.alerts.count else { return }
        for alert in seen[note.alerts.count...] {
            note.alerts.append(
                Alert(from: alert.from, level: alert.level, code: alert.code, epoch: alert.epoch, ms: elapsed))
        }
    }

    /// Enough of a request to recognise it, and nothing to read in it.
    private func noteFirst(_ bytes: Span<UInt8>) {
        var start: [UInt8] = []
        for index in bytes.indices.prefix(Self.firstBytesLimit) { start.append(bytes[index]) }
        note.first = Observation.FirstBytes(shape: FirstBytesShape.describe(start), sha256: SHA256.hex(start))
    }

    /// Of application data that goes into the digest (verdicts §5.1).
    private static let firstBytesLimit = 64

    /// What only the end completes: our own good-bye, and the client's records.
    func noteTrace(_ session: TLSSession) {
        noteAlerts(session)
        note.records = session.trace.records
    }
}
