import Facts
import Loop
import Policy
import TLS
import Wire

/// One client's connection: performs what `ConnectionMachine` decides, and notes what happens.
///
/// Lives on its worker's loop from accept to `finish`, which hands the observation out and lets go of everything.
final class Connection: StreamHandler {
    /// What the bytes that come in are for.
    enum Stage {
        /// The first bytes on the proxy port.
        case request
        /// A ClientHello.
        case hello
        /// Nothing yet: the origin is being dialed or shakes hands.
        case waiting
        /// Copied both ways; looked at from aside while `tap` is there.
        case tunnel
        /// The forged chain is out; the client has not finished.
        case presenting
        case relaying
        /// Over; the client's FIN is waited for, to note how it closed.
        case draining
        case ended
    }

    unowned let worker: Worker
    let client: any ByteStream
    var origin: (any ByteStream)?
    var dialer: Dialer?
    var clientTLS: TLSSession?
    var originTLS: TLSSession?

    var machine: ConnectionMachine
    var note: Observation
    var stage = Stage.request
    let started = MonotonicClock.now
    /// When the current wait began, or bytes last came.
    var lastActivity: Double

    /// What the client has sent and nothing has used yet.
    var pending: [UInt8] = []
    var request: ProxyRequest?
    var requestReader: ProxyRequestReader
    var hello: ClientHello?
    var helloParser = ClientHelloParser()
    var tap: PassthroughTap?
    /// What the origin said before the client had finished its handshake.
    var early: [UInt8] = []
    /// What it said before anything else, read together with an upstream proxy's answer.
    var originGreeting: [UInt8] = []
    var preface = PrefaceTest()
    /// How the server that the client meets behaves.
    var conduct = Conduct()
    let trial: TrialMemory
    /// Tunnelled because the attack on its host begins later.
    var isSpared = false
    /// The trial was told that it is one of those.
    var countsForOnset = false
    /// What it carries makes a session that later connections may resume under another key.
    var beginsSession = false
    var statusReader = HTTPStatusReader()
    /// When the first bytes for the client were decrypted and passed on.
    var answered: Double?
    var redirect: RedirectAnswer?
    var clientHasEnded = false
    var originHasEnded = false
    /// How the origin ended, while the client is not told of it yet.
    var heldEnd: Observation.Close.Kind?

    /// A client that sends this much before it was answered is held back by TCP.
    static let pendingLimit = 128 * 1024
    /// Bytes waiting for one side before the other side is not read any more.
    static let backlogLimit = 128 * 1024
    /// Far more than one side can cause while the other is held back at `backlogLimit`: only TLS's own answers, to a
    /// peer that keeps asking (for a renegotiation, say) and reads none, get here. Then it is not read either.
    static let backlogCeiling = 1024 * 1024

    /// - Parameter listener: whose port it came to, where that is a client's own.
    init(number: UInt64, client: any ByteStream, listener: String? = nil, worker: Worker) {
        self.worker = worker
        self.client = client
        lastActivity = started
        machine = ConnectionMachine(plan: worker.plan)
        trial = worker.trial
        note = Observation(
            connection: number, trial: worker.plan.trial, at: (WallClock.now * 1e6).rounded() / 1e6,
            client: client.address?.endpoint)
        let known = Self.client(on: listener, from: client.address?.address, worker)
        note.clientName = known
        requestReader = ProxyRequestReader(authentication: worker.authentication(isRequired: known == nil))
    }

    func begin() {
        client.handler = self
        client.resume()
    }

    /// Milliseconds since it was accepted, to the microsecond.
    var elapsed: Double { ((MonotonicClock.now - started) * 1e6).rounded() / 1e3 }

    func handle(_ event: ConnectionMachine.Event) {
        for action in machine.on(event) { perform(action) }
    }

    private func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .dial(let endpoint): dial(endpoint)
        case .confirm: confirm()
        case .readHello: enterHello()
        case .tunnel: startTunnel()
        case .forward: startForwarding()
        case .handshakeWithOrigin(let sni, let host, let protocols):
            handshakeWithOrigin(sni: sni, verifying: host, offering: protocols)
        case .refuse(let attack, let variant, let refusal): refuseTLS(attack, variant, refusal)
        case .redirectToTLS(let host): redirectToTLS(host)
        case .present(let attack, let variant, let host): present(attack, variant, for: host)
        case .relay: startRelaying()
        case .turnAway(let fault): turnAway(fault)
        }
    }

    // MARK: StreamHandler

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        lastActivity = MonotonicClock.now
        if stream === client {
            switch stage {
            case .request:
                pending.append(copying: bytes)
                readRequest()
            case .hello:
                pending.append(copying: bytes)
                readHello()
            case .waiting:
                pending.append(copying: bytes)
                if pending.count > Self.pendingLimit { client.pause() }
            case .tunnel: copyUp(bytes)
            case .presenting, .relaying: clientSent(bytes)
            case .draining, .ended: break
            }
        } else {
            switch stage {
            case .waiting: originSentHandshake(bytes)
            case .tunnel: copyDown(bytes)
            case .presenting, .relaying: originSent(bytes)
            case .request, .hello, .draining, .ended: break
            }
        }
    }

    func streamReachedEnd(_ stream: any ByteStream) {
        if stream === client { clientEnded() } else { originEnded(.fin) }
    }

    func stream(_ stream: any ByteStream, failed error: SystemError) {
        if stream === client {
            end(by: .client, how: .rst)
        } else if stage == .waiting, case .waitingForOrigin = machine.state {
            handle(.originFailed("connection lost: \(error.reason)"))
        } else {
            originEnded(.rst)
        }
    }

    func streamConnected(_ stream: any ByteStream) {}

    func streamDrained(_ stream: any ByteStream) {
        // A slow reader is not an idle one.
        lastActivity = MonotonicClock.now
        let isRelaying = stage == .relaying || stage == .tunnel
        // The other side first, which was held back for this one; then this one, if it had to be held back itself.
        if stream !== client {
            client.resume()
            if isRelaying, client.backlog <= Self.backlogLimit { origin?.resume() }
        } else {
            // Before that, what the origin says waits in the kernel: nobody could take it yet.
            if isRelaying { origin?.resume() }
            if isRelaying || stage == .presenting, origin?.backlog ?? 0 <= Self.backlogLimit { client.resume() }
        }
        finishIfBothEnded()
    }

    // MARK: Ends

    /// The client will send nothing more.
    private func clientEnded() {
        clientHasEnded = true
        switch stage {
        case .request, .hello, .presenting: end(by: .client, how: .fin)
        case .waiting:
            // A plain request is whole without more from the client, which may still read the answer.
            guard case .http = request else { return end(by: .client, how: .fin) }
            noteClose(by: .client, how: .fin)
        case .relaying:
            noteClose(by: .client, how: .fin)
            // Half-closed: the answer may still come. A client that asked nothing waits for none, and others wait in
            // vain where nobody answers.
            guard note.bytesUp > 0, conduct.answer == .relayed else { return finish() }
            originTLS?.closeNotify()
            flushOrigin()
            origin?.end()
            finishIfBothEnded()
        case .tunnel:
            noteClose(by: .client, how: .fin)
            origin?.end()
            finishIfBothEnded()
        case .draining:
            noteClose(by: .client, how: .fin)
            finishIfBothEnded()
        case .ended: break
        }
    }

    /// The origin will send nothing more. The client gets what is left of it, then the same end: a close_notify only
    /// where the origin said one, as a cut answer must not look whole. What the client still says is read and counted.
    func originEnded(_ how: Observation.Close.Kind) {
        originHasEnded = true
        // After its FIN alone it may still listen.
        if how != .fin { dropOrigin() }
        switch stage {
        case .waiting: handle(.originFailed("it closed the connection during the handshake"))
        case .relaying:
            heldEnd = heldEnd ?? how
            if !mayHoldOriginEnd { passOnOriginEnd() }
        case .tunnel:
            noteClose(by: .origin, how: how)
            client.end()
            finishIfBothEnded()
        // What the client makes of our chain is still to be seen.
        case .presenting: heldEnd = how
        case .request, .hello, .draining, .ended: break
        }
    }

    /// Whether the client may still show what it makes of the forged chain, and the origin's end would keep it from that:
    /// an origin that misses the client's certificate, or dislikes the proxy, ends at once.
    var mayHoldOriginEnd: Bool {
        guard case .attack = machine.plan.phase else { return false }
        // Who has said good-bye is waiting for the answer to that.
        let hasLeft = clientHasEnded || note.close?.by == .client
        return note.bytesUp == 0 && !hasLeft && (note.bytesDown == 0 || note.negotiated?.alpn == "h2")
    }

    /// Tells the client what `heldEnd` keeps.
    func passOnOriginEnd() {
        guard stage == .relaying, let how = heldEnd else { return }
        heldEnd = nil
        noteClose(by: .origin, how: how)
        if how == .closeNotify {
            clientTLS?.closeNotify()
            flushClient()
        }
        guard originHasEnded else { return }
        client.end()
        finishIfBothEnded()
    }

    /// Ends the connection once both sides have said all they had to say, and it has gone to the kernel.
    func finishIfBothEnded() {
        guard clientHasEnded, client.backlog == 0 else { return }
        switch stage {
        case .relaying, .tunnel: if originHasEnded, origin?.backlog ?? 0 == 0 { finish() }
        case .draining: finish()
        case .request, .hello, .waiting, .presenting, .ended: break
        }
    }

    /// The first side to close is the one that is noted.
    func noteClose(by side: Observation.Close.Side, how: Observation.Close.Kind) {
        if note.close == nil { note.close = Observation.Close(by: side, how: how, ms: elapsed) }
    }

    func end(by side: Observation.Close.Side, how: Observation.Close.Kind) {
        guard stage != .ended else { return }
        noteDelivery()
        noteClose(by: side, how: how)
        finish()
    }

    /// Nothing more is to be learned but how the client closes: lets what was written out, then waits for that.
    func drain() {
        guard stage != .ended, stage != .draining else { return }
        stage = .draining
        lastActivity = MonotonicClock.now
        dropOrigin()
        client.end()
        client.resume()
        worker.checkSettled()
        finishIfBothEnded()
    }

    func dropOrigin() {
        dialer?.cancel()
        dialer = nil
        origin?.close()
        origin = nil
    }

    private func finish() {
        guard stage != .ended else { return }
        stage = .ended
        noteTunnel()
        if let clientTLS { noteTrace(clientTLS) }
        dropOrigin()
        client.close()
        clientTLS = nil
        originTLS = nil
        worker.finished(self, note)
    }
}
