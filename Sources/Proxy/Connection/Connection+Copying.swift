import Facts
import Loop
import Policy
import Wire

/// Bytes copied untouched: in passthrough, for hosts that are nobody's business, and of plain HTTP.
extension Connection {
    func startTunnel() {
        notes.did(.tunnelled)
        notes.met(.passthrough, nil)
        if let hello = intake.hello {
            evidence.watchTunnel(hello)
            call = worker.calls.begin(hello.random)
            // Of the gate's alone, whoever debugs waits for nothing; and of hosts that are judged.
            if worker.plan.phase != .debugging, case .copying(let passage) = machine.state,
                passage.isOfInterest || spared != nil
            {
                tickets = TicketWait(hello, at: MonotonicClock.now).map { HeldForTickets(wait: $0) }
            }
        } else {
            // Of the gate's alone: nobody judges what is debugged.
            var passage = ConnectionMachine.Passage()
            if case .copying(let one) = machine.state { passage = one }
            evidence.count(notingFirst: passage.target != nil, readingTalk: passage.denial != nil)
            if passage.target != nil { intake.lateHello = LateHello() }
            if let denial = passage.denial { intake.offer = OfferOfTLS(isShown: denial == .refused) }
        }
        beginTaps()
        sendPending(intake.pending)
    }

    func startForwarding() {
        notes.did(.forwarded)
        guard case .http(let request) = intake.request else { return }
        plain = PlainExchange(request)
        if repeatsRequest {
            origin?.write(request.head)
        } else {
            evidence.count()
            let isShown = hasTaps
            beginTaps()
            copy(request.head.span, fromClient: true, isShown: isShown)
        }
        let rest = intake.pending
        intake.pending = []
        if !rest.isEmpty { forward(rest.span) }
        client.resume()
        origin?.resume()
        let greeting = originGreeting
        originGreeting = []
        if !greeting.isEmpty { copyAnswer(greeting.span) }
    }

    /// The client's bytes behind a plain request's head: what is the next request's waits for this one's answer.
    func forward(_ bytes: Span<UInt8>) {
        let count = plain?.fromClient(bytes) ?? bytes.count
        if let fault = plain?.requestFault { return handle(.exchangeFailed(.unreadable(fault.description))) }
        if count > 0 { copy(bytes.extracting(first: count), fromClient: true) }
        if count < bytes.count {
            intake.pending.append(copying: bytes.extracting(droppingFirst: count))
            if intake.pending.count > ConnectionMachine.pendingLimit { handle(.heldFull) }
        }
        weighExchange()
    }

    func copyAnswer(_ bytes: Span<UInt8>) {
        let count = plain?.fromOrigin(bytes) ?? bytes.count
        if count > 0 { copy(bytes.extracting(first: count), fromClient: false) }
        // Not sent on, and seen all the same: it is what ends the connection.
        if count < bytes.count { look(bytes.extracting(droppingFirst: count), .down) }
        // What the client has said too early, by RFC 6455 §4.1, is of the new protocol.
        if plain?.isUpgraded == true, !intake.pending.isEmpty {
            let early = intake.pending
            intake.pending = []
            copy(early.span, fromClient: true)
            client.resume()
        }
        weighExchange()
    }

    private func weighExchange() {
        guard let plain else { return }
        if plain.isOver {
            handle(.exchangeEnded)
        } else if plain.isOverrun {
            handle(.exchangeFailed(.overrun))
        } else if plain.isAnsweredUnsent || plain.isAnsweredUnclearly || plain.isLast && !intake.pending.isEmpty {
            // What the client has said too early is not answered here: the end tells it so (RFC 9112 §9.3.2).
            handle(.answeredForGood)
        } else if plain.isUnmeasured, !intake.pending.isEmpty {
            handle(.askedAgain)
        }
    }

    /// Leaves both connections to the client's next request.
    func handOver() {
        guard case .http(let request) = intake.request, let origin else { return }
        self.origin = nil
        var reader = intake.reader
        reader.expectNext()
        let whole = notes.finished(evidence)
        endUntaken()
        var untaken: UntakenAnswer?
        if let follower, isMuchUnacknowledged {
            untaken = UntakenAnswer(follower: follower, close: whole.close)
            self.follower = nil
        }
        endTaps(whole.close, isAnswerLost: false)
        worker.finished(self, whole)
        worker.goOn(
            arrival,
            Continuation(
                reader: reader, pending: intake.pending,
                kept: KeptOrigin(endpoint: machine.plan.destination(of: request.target), stream: origin),
                hasClientEnded: machine.ends.client, untaken: untaken))
    }

    private func sendPending(_ bytes: [UInt8]) {
        intake.pending = []
        client.resume()
        origin?.resume()
        let greeting = originGreeting
        originGreeting = []
        guard intake.lateHello == nil else {
            // A hello among the client's bytes ends the copying.
            if !greeting.isEmpty { copy(greeting.span, fromClient: false) }
            return lookForHello(bytes.span)
        }
        if !bytes.isEmpty { copy(bytes.span, fromClient: true) }
        if !greeting.isEmpty { copy(greeting.span, fromClient: false) }
    }

    /// Looks at a copy first: what the bytes show may be why they are not sent on.
    ///
    /// - Parameter isShown: whoever follows the connection has seen them.
    func copy(_ bytes: Span<UInt8>, fromClient: Bool, isShown: Bool = false) {
        guard tickets != nil else { return copyNow(bytes, fromClient: fromClient, isShown: isShown) }
        if fromClient { return copyBehindTickets(bytes) }
        copyNow(bytes, fromClient: false, isShown: isShown)
        noteTickets()
    }

    func copyNow(_ bytes: Span<UInt8>, fromClient: Bool, isShown: Bool = false) {
        look(bytes, fromClient ? .up : .down, isShown: isShown)
        if evidence.tunnel != nil { actOnTunnel() }
        guard case .copying = machine.state else { return }
        if intake.offer != nil { return copyWithoutOffer(bytes, fromClient: fromClient) }
        sendOn(bytes, fromClient: fromClient)
    }

    /// What was looked at, or what is left of it.
    func sendOn(_ bytes: Span<UInt8>, fromClient: Bool) {
        if fromClient {
            origin?.write(bytes)
            if origin?.backlog ?? 0 > ConnectionMachine.backlogLimit { handle(.backedUp(.origin)) }
        } else {
            client.write(bytes)
            intake.lateHello?.serverSpoke()
            if evidence.tunnel == nil { noteSentAfterEnd() }
            carried(.origin)
            if client.backlog > ConnectionMachine.backlogLimit { handle(.backedUp(.client)) }
        }
    }

    private func actOnTunnel() {
        if spared != nil { reportAnswers() }
        if spared != nil, evidence.tunnel?.clientAsked == true { handle(.requestSeen) }
        if evidence.tunnel?.sawData == true { handle(.sawData) }
    }

    /// What a tunnel's records showed, asked when it has ended.
    func noteTunnelsEnd() {
        noteOffersEnd()
        guard let tunnel = evidence.tunnel else { return }
        if let alert = tunnel.clientAlert {
            notes.add(
                Alert(from: .client, level: alert.level, code: alert.code, epoch: .plaintext, ms: notes.elapsed))
        }
    }

    // MARK: Before an attack begins

    /// What a tunnel that is spared (`Conduct.Onset`) has told the trial.
    struct SparedTunnel {
        let host: HostName
        var requests = 0
    }

    /// What the trial remembers it by.
    func subject(_ host: HostName) -> TrialMemory.Visit { .init(client: machine.clientName, host: host) }

    /// Asked once, when the ClientHello is whole: a socket that was opened and never used counts for nothing.
    func askOnset(_ host: HostName, _ onset: Conduct.Onset) {
        let isSpared = trial.spares(subject(host), until: onset, now: MonotonicClock.now)
        if isSpared { spared = SparedTunnel(host: host) }
        handle(.onsetTold(isSpared: isSpared))
    }

    /// Tells the trial what a spared tunnel has shown, as soon as it has: the next connection may be the one.
    private func reportAnswers() {
        let requests = evidence.tunnel?.requests ?? 0
        guard let spared, requests > spared.requests else { return }
        trial.requestsAnswered(subject(spared.host), requests - spared.requests)
        self.spared?.requests = requests
    }
}
