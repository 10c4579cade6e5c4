import Facts
import Policy

/// Decides all of one client connection: facts in, actions out; no sockets, no C, no clock.
///
/// An event says what has happened and when; the actions say what is to be done, in order. `Connection` performs them,
/// and knows no state of its own but its handles. The way of an attacked connection is `request`, `dialing`, `hello`,
/// `originHandshake`, `presenting`, `relaying`, `draining`, `ended`; one that is left alone goes from `hello` to
/// `copying`. How each of them ends is in `ConnectionMachine+Ends`, how long each may last in
/// `ConnectionMachine+Deadlines`.
struct ConnectionMachine {
    enum State: Hashable {
        /// The first bytes on the proxy's port, or of the next plain request.
        case request
        /// The trial is asked whether this CONNECT is the one that is refused.
        case knocking(TunnelErrand, for: HostName)
        /// The origin is called.
        indirect case dialing(Errand)
        /// The tunnel to an address stands, and nobody was called: a ClientHello may name a host of which the profile says where
        /// it really lives.
        case listening(Endpoint)
        /// A ClientHello is awaited; `target` is nil for a client that began with TLS.
        case hello(target: Endpoint?)
        /// The trial is asked whether the attack on this host has begun.
        indirect case weighing(Meeting)
        /// The origin's handshake.
        indirect case originHandshake(Meeting)
        /// The origin cannot be had, and it is asked whether its host is known well enough to go on without.
        indirect case wanting(Want, Fault)
        /// The trial is asked which key comes first, and the chain is forged.
        indirect case forging(Meeting)
        /// The forged chain is out; the client has not finished.
        case presenting(Exchange)
        /// What the client sends is read and forgotten, and never answered.
        case ignoring
        case relaying(Exchange)
        /// It has shown a request that nobody will answer, and is told that it is over. How it goes is noted as our doing, and
        /// not before it has gone: what it does because of that comes after.
        case lettingGo
        /// Bytes go both ways, untouched.
        case copying(Passage)
        /// Over; the client's own end is waited for, to note how it closed.
        case draining
        /// All was said; a client that ended first has not shown yet whether it has taken that.
        case delivering
        case ended
    }

    /// What an origin is called for.
    enum Errand: Hashable {
        /// CONNECT or SOCKS: the client is told when the origin is there, if it was not told before, and then begins.
        case tunnel(Endpoint)
        /// A plain HTTP request.
        case request(PlainErrand)
        /// A client that began with TLS, and whose ClientHello named the host.
        case meeting(Meeting)
    }

    struct PlainErrand: Hashable {
        var target: Endpoint
        /// It goes over a connection that an earlier request left open, and may find that closed.
        var isReused = false
        /// Nothing but its head has to be sent again, should that be so.
        var isRepeatable = false
    }

    /// What was decided when the ClientHello had been read.
    struct Meeting: Hashable {
        var sni: HostName?
        var target: Endpoint
        /// Whom the connection is for.
        var host: HostName
        var decision: Plan.Decision
        /// It came before the attack's onset.
        var isSpared = false
        /// The origin was called before the ClientHello was read.
        var isDialed: Bool
    }

    /// An intercepted connection under its forged chain.
    struct Exchange: Hashable {
        var answer: Conduct.Answer
        /// Whose session it begins, that later connections may resume under another key.
        var sessionHost: HostName?
        /// When our certificate went out.
        var flightAt: Double?
        var speaksHTTP2 = false
        /// Application bytes came from the client.
        var asked = false
        /// Application bytes went to the client.
        var answered = false
        /// When a request was seen that nobody will answer.
        var askedInVainAt: Double?
        /// How the origin ended, while the client is not told of it yet.
        var heldEnd: Observation.Close.Kind?
    }

    var state: State
    /// The plan is as large as the rest of the machine, and many connections have the same.
    private let sharedPlan: SharedValue<Plan>
    var plan: Plan { _read { yield sharedPlan.value } }
    /// Which of the profile's clients it is; known before the first request is acted on.
    var clientName: String?
    /// Where the client wanted to go, as the system that redirected it here tells; nil where it came by itself.
    let originalDestination: Endpoint?
    /// Whom it asked for, or who lives there, before any ClientHello.
    var asked: HostName?
    /// The client was told that its tunnel stands: from then on nothing is said to it in the protocol that it asked in.
    var isTold = false
    /// Why there is no origin behind a tunnel that stands all the same, as its host is to be attacked in there.
    var lacking: Fault?

    let accepted: Double
    /// When the state began.
    var since: Double
    /// Sides whose bytes change nothing more in this state, so that the many that follow cost nothing.
    var isQuiet = (client: false, origin: false)
    /// When bytes last came, or a backlog went out.
    var lastActivity: Double
    var ends = Ends()
    /// It goes on after an earlier request of the same client: until bytes come it is no connection of its own.
    let isContinued: Bool
    /// In the debugging proxy: seconds without a byte after which it ends; nil: never.
    let idleLimit: Double?

    /// Which sides will send nothing more, and who was the first to say so.
    struct Ends: Hashable {
        var client = false
        var origin = false
        var first: Observation.Close.Side?
    }

    /// It may still read what it is sent, or be gone.
    var clientEndedFirst: Bool { ends.first == .client }

    /// Port of a client that speaks TLS without asking for a port.
    private static let tlsPort: UInt16 = 443

    init(
        plan: SharedValue<Plan>, at now: Double, originalDestination: Endpoint? = nil, isContinued: Bool = false,
        idleLimit: Double? = nil
    ) {
        sharedPlan = plan
        self.originalDestination = originalDestination
        self.isContinued = isContinued
        self.idleLimit = idleLimit
        state = .request
        accepted = now
        since = now
        lastActivity = now
    }

    /// Which host a connection is for: the SNI; without one, or where that is an address, the name it asked for, or who lives
    /// at the address it asked for (docs/verdicts.md, "Which host").
    static func host(sni: HostName?, home: HostName?, target: Endpoint?) -> HostName? {
        if let sni, !sni.isIP { return sni }
        let named = target.flatMap { $0.host.isIP ? nil : $0.host }
        return home ?? named ?? sni ?? target?.host
    }

    // MARK: Events

    mutating func on(_ event: Event, _ moment: Moment) -> [Action] {
        switch (state, event) {
        case (.request, .tunnelAsked(let errand)): return askedForTunnel(errand, moment)
        case (.knocking(let errand, let host), .onsetTold(let isSpared)):
            return isSpared ? refuseConnect(host, moment) : openTunnel(errand, moment)
        case (.request, .requestAsked(let plain)):
            if plan.concerns(client: clientName), let spelling = plan.redirectsCleartext(to: plain.target.host) {
                return [.redirectToTLS(spelling.place(of: plain.target.host))] + close(.proxy, .fin) + drain(moment)
            }
            guard isReachable(plain.target.host) else { return turnAway(.unreachable(Self.cutOff), moment) }
            return enter(.dialing(.request(plain)), moment, [.dial(plan.destination(of: plain.target))])
        case (.request, .helloCame):
            guard let target = originalDestination else { return enter(.hello(target: nil), moment, [.readHello]) }
            return enter(.dialing(.tunnel(target)), moment, [.dial(plan.destination(of: target))])
        case (.request, .siteAsked), (.hello(nil), .siteAsked): return enter(.ended, moment, [.visitSite])
        case (.request, .requestRefused): return drain(moment)

        case (.dialing(.tunnel(let target)), .dialed):
            let actions = confirm() + [.readHello] + (ends.client ? [.weighEnds] : [])
            return enter(.hello(target: target), moment, actions)
        case (.dialing(.request(let plain)), .dialed): return forward(plain, moment)
        case (.dialing(.meeting(let meeting)), .dialed): return proceed(meeting, moment)
        case (.dialing, .dialFailed(let reason)): return goWithoutOrigin(.unreachable(reason), moment)
        case (.dialing, .dialRefused(let reason, let isLoop)):
            return turnAway(isLoop ? .loop(reason) : .forbidden(reason), moment)

        // Said, and gone.
        case (.hello, .helloRead) where ends.client: return finish(by: .client, .fin, moment)
        case (.hello(let target), .helloRead(let sni, let home)):
            if let goal = lateGoal(target, sni) {
                lacking = nil
                return [.dropOrigin] + read(sni, home, goal, isDialed: false, moment)
            }
            return read(sni, home, target, moment)
        case (.listening(let target), .helloRead(let sni, let home)):
            return read(sni, home, plan.named(target, sni), isDialed: false, moment)
        case (.hello, .nothingSaid): return leaveSilent(moment)
        case (.listening(let target), .otherProtocolCame), (.listening(let target), .nothingSaid):
            return call(target, moment)
        case (.hello, .invalidNameRead), (.listening, .invalidNameRead): return turnAway(.invalidName, moment)
        case (.hello, .ownHelloRead), (.listening, .ownHelloRead):
            return turnAway(.loop("the proxy's own call has come back to it"), moment)
        case (.hello(nil), .otherProtocolCame): return turnAway(.nameless, moment)
        case (.hello(.some), .otherProtocolCame) where lacking != nil:
            return lacking.map { turnAway($0, moment) } ?? []
        case (.hello(.some(let target)), .otherProtocolCame):
            return copy(dialogue(with: target), moment) + passOnClientEnd()
        case (.copying(let passage), .helloRead(let sni, let home)) where passage.target != nil:
            return read(sni, home, passage.target, moment)
        case (.copying(let passage), .invalidNameRead) where passage.target != nil:
            return turnAway(.invalidName, moment)
        case (.copying(let passage), .ownHelloRead) where passage.target != nil:
            return turnAway(.loop("the proxy's own call has come back to it"), moment)
        case (.weighing(var meeting), .onsetTold(let isSpared)):
            meeting.isSpared = isSpared
            return dialOrProceed(meeting, moment)

        case (.originHandshake(let meeting), .originReady): return forge(meeting, moment)
        case (.originHandshake, .originFailed(let reason)): return goWithoutOrigin(.originRefused(reason), moment)
        case (.wanting(let want, let fault), .standInTold(let isKnown)):
            return isKnown ? goOn(want, without: fault, moment) : turnAway(fault, moment)
        case (.forging(let meeting), .sessionTold(let stands)): return present(meeting, sessionStands: stands)
        case (.forging, .presentFailed(let reason)): return turnAway(.cannotPresent(reason), moment)
        case (.forging, .presented(let answer, let sessionHost)):
            let exchange = Exchange(answer: answer, sessionHost: sessionHost)
            return enter(
                .presenting(exchange), moment,
                (answer == .relayed ? [] : [.takeLeaveOfOrigin]) + [.resume(.client), .replayHello])
        case (.presenting(var exchange), .flightSent):
            exchange.flightAt = moment.now
            state = .presenting(exchange)
            return []
        case (.presenting(var exchange), .clientFinished(let speaksHTTP2)):
            exchange.speaksHTTP2 = speaksHTTP2
            return enter(
                .relaying(exchange), moment, [.relay(greets: speaksHTTP2 && exchange.answer == .never)])

        case (.copying(var passage), .sawData) where !passage.sawData:
            passage.sawData = true
            state = .copying(passage)
            return [.decided]
        case (.copying(let passage), .requestSeen) where passage.loss == .cut:
            return [.dropOrigin] + close(.proxy, .fin) + drain(moment)
        case (.copying(let passage), .requestSeen) where passage.loss == .silence:
            return [.dropOrigin] + enter(.ignoring, moment, [.resume(.client)])
        case (.copying(var passage), .requestSeen):
            passage.wasAsked = true
            state = .copying(passage)
            return []
        case (.copying(let passage), .exchangeFailed(let fault)):
            let noted = close(fault == .overrun ? .origin : .proxy, .aborted)
            if case .unreadable(let reason) = fault, !passage.awaitsAnswer {
                return noted + turnAway(.cutShort(reason), moment)
            }
            return noted + turnAway(fault, moment)
        case (.copying, .answeredForGood): return close(.proxy, .fin) + drain(moment)
        case (.copying(var passage), .askedAgain) where !passage.isWaitedFor:
            passage.isWaitedFor = true
            state = .copying(passage)
            return []
        case (.delivering, .delivered): return enter(.ended, moment, [.finish])

        case (.copying, .exchangeEnded) where !ends.origin && (!ends.client || moment.hasMore):
            return close(.proxy, .kept) + enter(.ended, moment, [.handOver])

        default: return end(event, moment)
        }
    }

    /// Changes the state; what was decided before it goes on with `actions`.
    mutating func enter(_ next: State, _ moment: Moment, _ actions: [Action]) -> [Action] {
        state = next
        isQuiet = (false, false)
        since = moment.now
        lastActivity = moment.now
        return actions
    }

    // MARK: Deciding

    private mutating func read(
        _ sni: HostName?, _ home: HostName?, _ target: Endpoint?, isDialed: Bool? = nil, _ moment: Moment
    ) -> [Action] {
        guard let goal = target ?? sni.map({ Endpoint($0, Self.tlsPort) }) else {
            return turnAway(.nameless, moment)
        }
        let host = Self.host(sni: sni, home: home, target: goal) ?? goal.host
        guard isReachable(host) else { return turnAway(.unreachable(Self.cutOff), moment) }
        let decision = decide(host)
        let meeting = Meeting(
            sni: sni, target: goal, host: host, decision: decision, isDialed: isDialed ?? (target != nil))
        if case .intercept(_, let variant) = decision, variant.conduct.onset != .atOnce {
            return enter(.weighing(meeting), moment, [.askOnset(host, variant.conduct.onset)])
        }
        return dialOrProceed(meeting, moment)
    }

    /// By name: what goes to a bare address, or hides its name until the ClientHello, is weighed there.
    func isReachable(_ host: HostName) -> Bool {
        host.isIP || !plan.concerns(client: clientName) || plan.reaches(host)
    }

    static let cutOff = "in this trial only hosts that have to refuse can be reached"

    func decide(_ host: HostName) -> Plan.Decision {
        plan.concerns(client: clientName) ? plan.decide(host) : .tunnel
    }

    private mutating func dialOrProceed(_ meeting: Meeting, _ moment: Moment) -> [Action] {
        guard !meeting.isDialed else { return proceed(meeting, moment) }
        return enter(.dialing(.meeting(meeting)), moment, [.dial(plan.destination(of: meeting.target))])
    }

    private mutating func proceed(_ meeting: Meeting, _ moment: Moment) -> [Action] {
        guard case .intercept(let attack, let variant) = meeting.decision,
            !meeting.isSpared || variant.conduct.refusalBeforeOnset != nil, variant.conduct.denialOfTLS == nil
        else { return lacking.map { turnAway($0, moment) } ?? copy(passage(meeting), moment) }
        if let refusal = meeting.isSpared ? variant.conduct.refusalBeforeOnset : variant.conduct.refusal {
            return refuse(attack, variant, refusal, moment)
        }
        if let lacking { return wantStandIn(.meeting(meeting), lacking, moment) }
        return enter(
            .originHandshake(meeting), moment,
            [.handshakeWithOrigin(sni: meeting.sni, verifying: meeting.host, offering: variant.conduct.protocols)])
    }

    mutating func copy(_ passage: Passage, _ moment: Moment) -> [Action] {
        enter(.copying(passage), moment, [.tunnel])
    }

    /// The rewritten request, and whatever follows it.
    private mutating func forward(_ plain: PlainErrand, _ moment: Moment) -> [Action] {
        let passage = Passage(
            repeatable: plain.isReused && plain.isRepeatable ? plain : nil, awaitsAnswer: true)
        return enter(.copying(passage), moment, [.forward] + passOnClientEnd())
    }

    private mutating func forge(_ meeting: Meeting, _ moment: Moment) -> [Action] {
        state = .forging(meeting)
        guard case .intercept(_, let variant) = meeting.decision, variant.beginsUnderLentKey,
            plan.profile.lent[meeting.host]?.backupKey != nil
        else { return present(meeting, sessionStands: true) }
        return [.askSession(meeting.host)]
    }

    /// - Parameter sessionStands: there is a session to be resumed, or none is wanted; without one the client meets a
    ///   control first, under the key that it pins.
    private func present(_ meeting: Meeting, sessionStands: Bool) -> [Action] {
        guard case .intercept(let attack, let variant) = meeting.decision else { return [] }
        guard !sessionStands, let lent = Attack.lentKey.variants.first else {
            return [.present(attack, variant, for: meeting.host, beginsSession: false)]
        }
        return [.present(.lentKey, lent.behaving(as: variant.conduct), for: meeting.host, beginsSession: true)]
    }

    /// No TLS at all.
    private mutating func refuse(
        _ attack: Attack, _ variant: Attack.Variant, _ refusal: Conduct.Refusal, _ moment: Moment
    ) -> [Action] {
        let begin = [Action.refuseTLS(attack, variant), .dropOrigin]
        switch refusal {
        case .reset:
            return begin + close(.proxy, .rst) + enter(.ended, moment, [.reset, .finish])
        case .close: return begin + close(.proxy, .fin) + drain(moment)
        case .handshakeFailure: return begin + [.alert(.handshakeFailure)] + close(.proxy, .aborted) + drain(moment)
        case .inappropriateFallback:
            return begin + [.alert(.inappropriateFallback)] + close(.proxy, .aborted) + drain(moment)
        case .unrecognizedName: return begin + [.alert(.unrecognizedName)] + close(.proxy, .aborted) + drain(moment)
        case .plainAnswer: return begin + [.answerInClear] + close(.proxy, .fin) + drain(moment)
        // Until the client has had enough.
        case .silence: return begin + enter(.ignoring, moment, [.resume(.client)])
        }
    }

    mutating func turnAway(_ fault: Fault, _ moment: Moment) -> [Action] { [.turnAway(fault)] + drain(moment) }
}
