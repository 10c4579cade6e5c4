import Facts
import Loop
import Policy
import TLS
import Wire

/// One client's connection: performs what `ConnectionMachine` decides, notes what happens.
///
/// Lives on its worker's loop from accept to `finish`, which hands the observation out and lets go of everything. It
/// holds handles and buffers; whatever is decided by what happened before is in the machine.
final class Connection: StreamHandler {
    unowned let worker: Worker
    let client: any ByteStream
    var origin: (any ByteStream)?
    var dialer: Dialer?
    var clientTLS: TLSSession?
    var originTLS: TLSSession?

    var machine: ConnectionMachine
    var notes: ConnectionNotes
    let evidence: EvidenceTap
    /// Whoever follows what it carries in the clear; nil where nobody does.
    var follower: (any ExchangeListener)?
    /// Reads what it carries in the clear, and nobody waits for it; nil where nobody does.
    var reader: (any ExchangeListener)?
    /// Rewrites what it carries; nil in the gate, and wherever nothing is rewritten.
    var layer: (any MessageLayer)?
    var layerEnds: Set<ExchangeDirection> = []
    /// Follower and layer have been asked for.
    var hasTaps = false
    /// What a follower is told at first; nil where there is none, and once it was told.
    @Seldom var approach: Approach?
    /// A session is handing out what it decrypts; what is written meanwhile is flushed after that.
    var isReceiving = false
    /// When what is being handled happened, of `MonotonicClock`: read once for each call of the loop.
    var now: Double
    let trial: TrialMemory
    let number: UInt64
    /// When it was accepted, Unix seconds.
    let at: Double
    /// As it came; a further request of the client's goes on with it.
    let arrival: Arrival

    /// What the client has sent and nothing has used yet, and what was read of it.
    var intake: Intake
    /// What the origin said before the client had finished its handshake.
    var early: [UInt8] = []
    /// What it said before anything else, read together with an upstream proxy's answer.
    var originGreeting: [UInt8] = []
    /// Where the origin was asked for.
    var called: Endpoint?
    var flight = Flight.none
    /// The flight's first bytes go out as a segment of their own.
    var splitsFlight = false
    /// The client is given tickets when the origin gives us some.
    var handsOutTickets = false
    /// The origin was offered fewer protocols than the client has.
    var offersLess = false
    /// The fatal alert by which the origin ended its handshake, where it was an answer to the client's own list of protocols.
    var originAlert: UInt8?
    /// Answers one request with a redirect, or with an error.
    var redirect: RedirectTap?
    /// A request that waits for the server's session tickets, in a tunnel of the gate's.
    @Seldom var tickets: HeldForTickets?
    /// What its host has shown elsewhere, in place of an origin that cannot be had.
    @Seldom var shown: ShownChains.Shown?
    /// What a spared tunnel has told the trial.
    var spared: SparedTunnel?
    /// The plain request that is on its way, and its answer.
    @Seldom var plain: PlainExchange?
    /// Its head is sent for the second time, and was counted and shown the first time.
    var repeatsRequest = false
    private let hasClientEnded: Bool
    /// Of the client's last plain request.
    var untaken: UntakenAnswer?
    /// Left open by the client's last plain request.
    var kept: KeptOrigin?
    /// Bytes that its client has been written when it was last sent something after its own end; nil: nothing was.
    var sentAfterEnd: Int?
    /// Of that, what it had acknowledged when it was looked at last.
    var acknowledgedBefore = 0
    var hasClientFailed = false
    /// Asks who lives where the client wants to go.
    var homeProbe: HomeProbe?
    /// Our own ClientHello, or the client's on its way through us, while it may come back.
    var call: OwnCalls.Call?

    /// - Parameter intake: what an earlier request of the client's has left; nil for a new client.
    init(_ arrival: Arrival, number: UInt64, worker: Worker, continuing earlier: Continuation? = nil) {
        self.worker = worker
        self.number = number
        self.arrival = arrival
        client = arrival.stream
        kept = earlier?.kept
        now = MonotonicClock.now
        evidence = EvidenceTap(accepted: now)
        at = (WallClock.now * 1e6).rounded() / 1e6
        trial = worker.trial
        machine = ConnectionMachine(
            plan: worker.sharedPlan, at: now, originalDestination: arrival.originalDestination,
            isContinued: earlier != nil,
            idleLimit: worker.idleLimit)
        notes = ConnectionNotes(
            number: number, trial: worker.plan.trial, at: at, accepted: now, client: arrival.stream.address?.endpoint)
        let known = worker.clientName(on: arrival.listener, from: arrival.stream.address?.address)
        machine.clientName = known
        notes.client(known, nil)
        intake = Intake(
            earlier?.reader
                ?? ProxyRequestReader(
                    authentication: worker.authentication(isRequired: known == nil), keepsConnections: true))
        intake.pending = earlier?.pending ?? []
        hasClientEnded = earlier?.hasClientEnded ?? false
        untaken = earlier?.untaken
        approach = worker.tap == nil ? nil : Approach()
    }

    func begin() {
        client.handler = self
        kept?.stream.handler = self
        client.resume()
        kept?.stream.resume()
        if !intake.pending.isEmpty { readRequest() }
        if hasClientEnded { streamReachedEnd(client) }
    }

    /// What a plain request leaves to the client's next one.
    struct Continuation {
        let reader: ProxyRequestReader
        let pending: [UInt8]
        let kept: KeptOrigin?
        /// The client sends nothing more; nobody is told that twice by its stream.
        var hasClientEnded = false
        var untaken: UntakenAnswer?
    }

    /// Who follows a plain exchange of whose answer its client has much still to take.
    struct UntakenAnswer {
        let follower: any ExchangeListener
        let close: Observation.Close?
    }

    /// What the first bytes are read with, and what they came to.
    struct Intake {
        var pending: [UInt8] = []
        var reader: ProxyRequestReader
        var request: ProxyRequest?
        var helloParser = ClientHelloParser()
        var hello: ClientHello?
        /// In a tunnel that did not begin with a hello, what looks for one.
        @Seldom var lateHello: LateHello?
        /// After such a hello, what the server may still answer to what came before it.
        @Seldom var answers: ClearBeforeTLS?
        /// In such a tunnel, what takes the offer of TLS away.
        @Seldom var offer: OfferOfTLS?
        /// Whom the connection is for, as far as is known.
        var host: HostName?
        /// It was waited for a ClientHello before anybody was called, and none came.
        var wasListenedTo = false
        /// A request was, and what is pending comes behind it.
        var isRefused = false

        init(_ reader: ProxyRequestReader) { self.reader = reader }

        /// Every name that the client has given for where it goes.
        var namedHosts: [HostName] { [request?.target?.host, hello?.sni].compactMap(\.self) }
    }

    /// Our certificate's flight on its way to the client.
    enum Flight {
        case none
        /// It is not known to have arrived.
        case sent
        case delivered
    }

    func handle(_ event: ConnectionMachine.Event) {
        now = MonotonicClock.now
        let moment = ConnectionMachine.Moment(
            now: now, toClient: client.backlog, toOrigin: (origin?.backlog ?? 0) + (tickets?.bytes.count ?? 0),
            hasMore: hasMore,
            showsRequest: evidence.showsRequest)
        for action in machine.on(event, moment) { perform(action) }
    }

    /// Application bytes of a side were taken: as often as bytes come, so it costs no clock reading.
    func carried(_ side: ConnectionMachine.Side) {
        for action in machine.carried(side) { perform(action) }
    }

    private func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .dial(let endpoint): dial(endpoint)
        case .confirm: confirm()
        case .readHello: enterHello()
        case .askOnset(let host, let onset): askOnset(host, onset)
        case .tunnel: startTunnel()
        case .forward: startForwarding()
        case .repeatRequest(let endpoint):
            repeatsRequest = true
            dial(endpoint)
        case .handshakeWithOrigin(let sni, let host, let protocols):
            handshakeWithOrigin(sni: sni, verifying: host, offering: protocols)
        case .askStandIn(let host, let scope): handle(.standInTold(isKnown: isKnown(host, in: scope)))
        case .noteLacking(let fault): notes.originFault(fault.reason)
        case .standIn(let host, let fault): standIn(for: host, fault)
        case .refuseTLS(let attack, let variant): refuseTLS(attack, variant)
        case .refuseConnect(let attack, let variant, let refusal): refuseConnect(attack, variant, refusal)
        case .redirectToTLS(let place): redirectToTLS(place)
        case .askSession(let host): handle(.sessionTold(stands: trial.hasSession(with: subject(host))))
        case .present(let attack, let variant, let host, let beginsSession):
            present(attack, variant, for: host, beginsSession: beginsSession)
        case .takeLeaveOfOrigin: takeLeaveOfOrigin()
        case .replayHello: replayHello()
        case .relay(let greets): startRelaying(greets: greets)
        case .reportSession(let host): trial.sessionCarriedData(with: subject(host), now: MonotonicClock.now)
        case .turnAway(let fault): turnAway(fault)
        case .alert(let code): alert(code)
        case .answerInClear: client.write(HTTPAnswer.error(.badRequest, "there is no TLS here"))
        case .pause(let side): stream(side)?.pause()
        case .resume(let side): stream(side)?.resume()
        case .sayGoodbye(let side): sayGoodbye(side)
        // After a plain request the origin is still to have those that wait behind it.
        case .end(.origin) where hasMore: break
        case .end(let side): stream(side)?.end()
        case .reset: client.reset()
        case .dropOrigin: dropOrigin()
        case .noteCut: if let spared { trial.wasCut(subject(spared.host)) }
        case .noteDelivery: noteDelivery()
        case .noteClose(let side, let how): notes.closed(by: side, how)
        case .decided: worker.checkSettled()
        case .weighEnds: handle(.endsWeighed)
        case .weighDelivery: weighDelivery()
        case .visitSite: visitSite()
        case .handOver: handOver()
        case .finish: finish()
        }
    }

    private var hasMore: Bool { plain != nil && !intake.pending.isEmpty }

    private func stream(_ side: ConnectionMachine.Side) -> (any ByteStream)? { side == .client ? client : origin }

    private func sayGoodbye(_ side: ConnectionMachine.Side) {
        switch side {
        case .client:
            clientTLS?.closeNotify()
            flushClient()
        case .origin:
            originTLS?.closeNotify()
            flushOrigin()
        }
    }

    func dropOrigin() {
        dialer?.cancel()
        dialer = nil
        origin?.close()
        origin = nil
    }

    private func finish() {
        // A kept connection on which nothing was asked again is none of its own.
        let isNothing = machine.isContinued && intake.request == nil && intake.pending.isEmpty && !intake.isRefused
        countTickets()
        noteTunnelsEnd()
        endUntaken()
        let isAnswerLost = isAnswerLost
        // Whoever left while its origin was called has asked all the same.
        if worker.tap != nil { showRequest() }
        noteUnread()
        noteUnfinished()
        notes.renegotiation(withOrigin: originTLS, withClient: clientTLS)
        notes.unreadable(fromOrigin: originTLS, fromClient: clientTLS)
        if let clientTLS {
            notes.alerts(clientTLS)
            notes.records(
                clientTLS, behindAlert: evidence.sentBehindAlert(clientTLS.trace, isAlert: clientTLS.isAlert))
        }
        dropOrigin()
        homeProbe?.cancel()
        homeProbe = nil
        client.close()
        dropKept()
        let whole = notes.finished(evidence)
        endTaps(whole.close, isAnswerLost: isAnswerLost)
        clientTLS = nil
        originTLS = nil
        call = nil
        worker.finished(self, isNothing ? nil : whole)
    }

    func dropKept() {
        kept?.stream.close()
        kept = nil
    }

    /// Looks at deadlines, once a second or so.
    func tick() {
        dialer?.checkDeadline(MonotonicClock.now)
        homeProbe?.checkDeadline(MonotonicClock.now)
        // An origin that takes its time, or will never answer, keeps no request from being seen.
        if worker.tap != nil, case .dialing(.request) = machine.state { showRequest() }
        if case .debugging = machine.plan.phase {
            // One that is held back is not read, and its end not seen otherwise.
            client.noticeReset()
            origin?.noticeReset()
        }
        if untaken != nil, !isMuchUnacknowledged { endUntaken() }
        listenWhereSilent(MonotonicClock.now)
        handle(.ticked)
    }

    // MARK: StreamHandler

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        // Nobody has asked it anything.
        if stream === kept?.stream { return dropKept() }
        let isClient = stream === client
        now = MonotonicClock.now
        machine.received(at: now)
        switch machine.state {
        case .copying:
            if isClient, intake.lateHello != nil {
                lookForHello(bytes)
            } else if plain == nil {
                copy(bytes, fromClient: isClient)
            } else if isClient {
                forward(bytes)
            } else {
                copyAnswer(bytes)
            }
        case .relaying, .presenting: if isClient { clientSent(bytes) } else { originSent(bytes) }
        case .request where isClient:
            intake.pending.append(copying: bytes)
            readRequest()
        case .hello where isClient, .listening where isClient:
            intake.pending.append(copying: bytes)
            readHello()
        case .hello:
            originGreeting.append(copying: bytes)
            handle(.otherProtocolCame)
        case .knocking, .dialing, .weighing, .originHandshake, .wanting, .forging:
            guard isClient else { return originSentHandshake(bytes) }
            intake.pending.append(copying: bytes)
            if intake.pending.count > ConnectionMachine.pendingLimit { handle(.heldFull) }
        // What it says behind its TLS tells, though nobody answers it.
        case .draining where isClient, .ignoring where isClient:
            evidence.cameFromClient(bytes)
            keepUnread(bytes)
        case .request, .listening, .ignoring, .lettingGo, .draining, .delivering, .ended: break
        }
    }

    func streamReachedEnd(_ stream: any ByteStream) {
        if stream === kept?.stream { return dropKept() }
        if stream === client, holdsEnd() { return }
        endLayer(stream === client ? .up : .down)
        releaseTickets()
        if stream === client {
            releaseHeld()
            tellClientEnded(at: MonotonicClock.now)
            // What it is still to take, it may leave as well.
            if worker.tap != nil, isMuchUnacknowledged { sentAfterEnd = client.writtenCount }
        } else if missesCertificate {
            return goOnWithoutOrigin()
        }
        handle(.ended(stream === client ? .client : .origin))
    }

    func stream(_ stream: any ByteStream, failed error: SystemError) {
        if stream === kept?.stream { return dropKept() }
        releaseTickets()
        if stream !== client, missesCertificate { return goOnWithoutOrigin() }
        if stream !== client, case .originHandshake = machine.state {
            notes.fault(error.isTimeout ? .originTimeout : .originReset)
        }
        if stream === client { hasClientFailed = true }
        handle(.failed(stream === client ? .client : .origin, error.reason))
    }

    func streamConnected(_ stream: any ByteStream) {}

    func streamDrained(_ stream: any ByteStream) { handle(.drained(stream === client ? .client : .origin)) }
}

/// A client's connection as it comes to a loop.
struct Arrival {
    let stream: any ByteStream
    /// The client whose port it came to, where that is one's own.
    var listener: String?
    /// Where it was to go, where the system redirected it here.
    var originalDestination: Endpoint?
    /// Counts the connection as long as anybody holds it.
    var place: ConnectionBudget.Place?
}
