import Facts
import Policy

/// How a connection ends, and how one side is held back for the other.
extension ConnectionMachine {
    typealias How = Observation.Close.Kind

    mutating func end(_ event: Event, _ moment: Moment) -> [Action] {
        switch event {
        case .ended(.client): clientEnded(moment)
        case .ended(.origin): originEnded(.fin, moment)
        case .failed(.client, _): finish(by: .client, .rst, moment)
        case .failed(.origin, let reason):
            if case .originHandshake = state {
                goWithoutOrigin(.originRefused("connection lost: \(reason)"), moment)
            } else {
                originEnded(.rst, moment)
            }
        case .saidGoodbye(.client): clientSaidGoodbye(moment)
        case .saidGoodbye(.origin): originSaidGoodbye()
        // It is we who cannot go on: that the client closes after our alert is no refusal of its own.
        case .broke(.client, let isRefusal): (isRefusal ? [] : close(.proxy, .aborted)) + drain(moment)
        case .broke(.origin, _): if case .relaying = state { originEnded(.aborted, moment) } else { [] }
        case .redirectSent: close(.proxy, .closeNotify) + [.sayGoodbye(.client)] + drain(moment)
        case .relayBegan: relayBegan(moment)
        case .heldFull: [.pause(.client)]
        case .backedUp(let side): backedUp(side, moment)
        case .drained(let side): drained(side, moment)
        case .endsWeighed: weighEnds(moment)
        case .ticked: checkDeadline(moment)
        case .evicted: finish(by: .proxy, .timeout, moment)
        case .trialEnded: finish(by: .gate, .aborted, moment)
        // Anything else came too late to matter: the connection is ending, or was decided.
        default: []
        }
    }

    // MARK: The client's end

    /// The client will send nothing more.
    private mutating func clientEnded(_ moment: Moment) -> [Action] {
        ends.client = true
        switch state {
        // A plain request is whole without more from the client, which may still read the answer.
        case .dialing(.request): return close(.client, .fin)
        // So may be what it has said since it was told that its tunnel stands.
        case .dialing(.tunnel) where isTold: return close(.client, .fin)
        case .request, .knocking, .listening, .hello, .dialing, .weighing, .originHandshake, .wanting, .forging,
            .presenting,
            .ignoring, .lettingGo:
            return finish(by: .client, .fin, moment)
        case .relaying(let exchange):
            let noted = close(.client, .fin)
            // Half-closed: the answer may still come. A client that asked nothing waits for none, and others wait in
            // vain where nobody answers.
            guard exchange.asked, exchange.answer == .relayed else { return noted + enter(.ended, moment, [.finish]) }
            return noted + [.sayGoodbye(.origin), .end(.origin), .weighEnds]
        case .copying: return close(.client, .fin) + [.end(.origin), .weighEnds]
        case .draining: return close(.client, .fin) + weighEnds(moment)
        case .delivering, .ended: return []
        }
    }

    /// The client may have ended while the origin was being called.
    func passOnClientEnd() -> [Action] { ends.client ? [.end(.origin), .weighEnds] : [] }

    private mutating func clientSaidGoodbye(_ moment: Moment) -> [Action] {
        guard ends.first == nil, state != .lettingGo else { return [] }
        let noted = close(.client, .closeNotify)
        // It has left the handshake: what it makes of our chain is said by that.
        if case .presenting = state { return noted + drain(moment) }
        guard case .relaying(let exchange) = state else { return [] }
        // Whoever waits for an answer that never comes is told that none will.
        guard exchange.answer == .relayed else { return noted + [.sayGoodbye(.client)] + drain(moment) }
        return noted + [.sayGoodbye(.origin)] + passOnOriginEnd()
    }

    // MARK: The origin's end

    /// The origin will send nothing more. The client gets what is left of it, then the same end: a close_notify only
    /// where the origin said one, as a cut answer must not look whole. What the client still says is read and counted.
    private mutating func originEnded(_ how: How, _ moment: Moment) -> [Action] {
        // Of a kept connection that had been closed before it was asked again.
        if case .copying(let passage) = state, let plain = passage.repeatable {
            return enter(
                .dialing(.request(PlainErrand(target: plain.target))), moment,
                [.dropOrigin, .repeatRequest(plan.destination(of: plain.target))])
        }
        if case .copying(let passage) = state, passage.awaitsAnswer {
            return close(.origin, how) + turnAway(.unanswered, moment)
        }
        ends.origin = true
        // After its FIN alone it may still listen. Whatever else ended it, nothing waits for it any more, and a client that
        // was held back for it is read again: only so is its own end seen.
        let drop: [Action] = how == .fin ? [] : [.dropOrigin]
        let release: [Action] = how == .fin ? [] : [.resume(.client)]
        switch state {
        case .originHandshake:
            return goWithoutOrigin(.originRefused("it closed the connection during the handshake"), moment)
        // What the client makes of our chain is still to be seen.
        case .presenting(var exchange):
            exchange.heldEnd = exchange.heldEnd ?? how
            state = .presenting(exchange)
            return drop
        case .relaying(var exchange):
            exchange.heldEnd = exchange.heldEnd ?? how
            state = .relaying(exchange)
            return drop + release + (mayHoldOriginEnd(exchange) ? [] : passOnOriginEnd())
        case .copying: return drop + release + close(.origin, how) + [.end(.client), .weighEnds]
        // Only the debugging proxy listens to it so early: it ends as it would without a proxy.
        case .hello(.some) where plan.phase == .debugging:
            return drop + copy(Passage(), moment) + close(.origin, how) + [.end(.client), .weighEnds]
        case .request, .knocking, .listening, .dialing, .hello, .weighing, .wanting, .forging, .ignoring, .lettingGo,
            .draining,
            .delivering, .ended:
            return drop
        }
    }

    private mutating func originSaidGoodbye() -> [Action] {
        switch state {
        case .presenting(var exchange):
            exchange.heldEnd = .closeNotify
            state = .presenting(exchange)
            return []
        case .relaying(var exchange):
            guard mayHoldOriginEnd(exchange) else {
                // Its FIN, or the client's, ends the connection; the good-bye is passed on at once.
                return close(.origin, .closeNotify) + [.sayGoodbye(.client)]
            }
            exchange.heldEnd = .closeNotify
            state = .relaying(exchange)
            return []
        default: return []
        }
    }

    /// What the origin had said before the client finished has been passed on.
    private mutating func relayBegan(_ moment: Moment) -> [Action] {
        guard case .relaying(let exchange) = state else { return [] }
        let drop: [Action] = ends.origin ? [.dropOrigin] : []
        return drop + (exchange.heldEnd == nil || mayHoldOriginEnd(exchange) ? [] : passOnOriginEnd())
    }

    /// Whether the client may still show what it makes of the forged chain, and the origin's end would keep it from that:
    /// an origin that misses the client's certificate, or dislikes the proxy, ends at once.
    private func mayHoldOriginEnd(_ exchange: Exchange) -> Bool {
        guard case .attack = plan.phase else { return false }
        // Who has said good-bye is waiting for the answer to that.
        let hasLeft = ends.client || ends.first == .client
        return !exchange.asked && !hasLeft && (!exchange.answered || exchange.speaksHTTP2)
    }

    /// Tells the client what is held back, if anything.
    mutating func passOnOriginEnd() -> [Action] {
        guard case .relaying(var exchange) = state, let how = exchange.heldEnd else { return [] }
        exchange.heldEnd = nil
        state = .relaying(exchange)
        var actions = close(.origin, how)
        if how == .closeNotify { actions.append(.sayGoodbye(.client)) }
        if ends.origin { actions += [.end(.client), .weighEnds] }
        return actions
    }

    // MARK: Both

    /// The first side to close is the one that is noted.
    mutating func close(_ side: Observation.Close.Side, _ how: How) -> [Action] {
        guard ends.first == nil else { return [] }
        ends.first = side
        return [.noteClose(side, how)]
    }

    /// At once, whatever was still to come.
    mutating func finish(by side: Observation.Close.Side, _ how: How, _ moment: Moment) -> [Action] {
        if case .ended = state { return [] }
        // However it goes, it goes because of us.
        let (side, how) = state == .lettingGo ? (.proxy, .closeNotify) : (side, how)
        return [.noteDelivery] + close(side, how) + enter(.ended, moment, [.finish])
    }

    /// Nothing more is to be learned but how the client closes: lets what was written out, then waits for that.
    mutating func drain(_ moment: Moment) -> [Action] {
        switch state {
        case .draining, .delivering, .ended: return []
        default: break
        }
        return enter(.draining, moment, [.dropOrigin, .end(.client), .resume(.client), .decided, .weighEnds])
    }

    /// Ends the connection once both sides have said all they had to say, and it has gone to the kernel.
    private mutating func weighEnds(_ moment: Moment) -> [Action] {
        guard ends.client, moment.toClient == 0 else { return [] }
        switch state {
        case .relaying, .copying:
            guard ends.origin, moment.toOrigin == 0 else { return [] }
            // An app that has run out of patience ends as one does that waits for its answer; what it does with that tells.
            guard clientEndedFirst, case .debugging = plan.phase else { return enter(.ended, moment, [.finish]) }
            return enter(.delivering, moment, [.weighDelivery])
        case .draining: return enter(.ended, moment, [.finish])
        // While the origin was being called, without having said what it wants.
        case .hello: return finish(by: .client, .fin, moment)
        default: return []
        }
    }

    // MARK: Bytes

    /// Bytes came from a side's carrier. Not an `Event`: it comes with every read, and never leads to anything.
    mutating func received(at now: Double) {
        // What comes while it drains is not read any more, and must not keep it open.
        if state == .draining || state == .lettingGo { return }
        lastActivity = now
    }

    /// Application bytes of a side were taken. Not an `Event`, as it comes with every read.
    mutating func carried(_ side: Side) -> [Action] {
        guard !(side == .client ? isQuiet.client : isQuiet.origin) else { return [] }
        let isRelaying: Bool
        var exchange: Exchange
        switch state {
        case .presenting(let one): (exchange, isRelaying) = (one, false)
        case .relaying(let one): (exchange, isRelaying) = (one, true)
        case .copying(var passage):
            if side == .origin {
                passage.repeatable = nil
                passage.awaitsAnswer = false
            }
            state = .copying(passage)
            return quiet(side)
        default: return []
        }
        var actions: [Action] = []
        switch side {
        case .client:
            guard !exchange.asked || exchange.heldEnd != nil else { return isRelaying ? quiet(side) : [] }
            exchange.asked = true
        case .origin:
            guard !exchange.answered || exchange.sessionHost != nil else { return isRelaying ? quiet(side) : [] }
            exchange.answered = true
            if let host = exchange.sessionHost, exchange.asked {
                exchange.sessionHost = nil
                actions.append(.reportSession(host))
            }
        }
        state = isRelaying ? .relaying(exchange) : .presenting(exchange)
        if isRelaying, exchange.heldEnd != nil, !mayHoldOriginEnd(exchange) { actions += passOnOriginEnd() }
        return actions
    }

    /// Of what `side` says from here on nothing is news until the state changes: after the relay has begun, an origin's end
    /// is held back no longer than until the client has asked.
    private mutating func quiet(_ side: Side) -> [Action] {
        switch side {
        case .client: isQuiet.client = true
        case .origin: isQuiet.origin = true
        }
        return []
    }

    /// Holds the other side back; and this one as well where it keeps asking TLS for answers and reads none.
    private mutating func backedUp(_ side: Side, _ moment: Moment) -> [Action] {
        let backlog = side == .client ? moment.toClient : moment.toOrigin
        guard backlog > Self.backlogLimit else { return [] }
        return [.pause(side.other)] + (backlog > Self.backlogCeiling ? [.pause(side)] : [])
    }

    /// The other side first, which was held back for this one; then this one, if it had to be held back itself.
    private mutating func drained(_ side: Side, _ moment: Moment) -> [Action] {
        // A slow reader is not an idle one.
        lastActivity = moment.now
        var actions: [Action] = []
        switch (state, side) {
        // Requests that wait for their turn are enough of them: whoever sends more of them waits until the next one is sent on.
        case (.relaying, .origin), (.copying, .origin):
            if !moment.hasMore { actions.append(.resume(.client)) }
            if moment.toClient <= Self.backlogLimit { actions.append(.resume(.origin)) }
        case (.relaying, .client), (.copying, .client):
            actions.append(.resume(.origin))
            if moment.toOrigin <= Self.backlogLimit, !moment.hasMore { actions.append(.resume(.client)) }
        // What the origin says waits in the kernel: nobody could take it yet.
        case (.presenting, .client) where moment.toOrigin <= Self.backlogLimit, (.presenting, .origin):
            actions.append(.resume(.client))
        default: break
        }
        return actions + weighEnds(moment)
    }

    /// Bytes waiting for one side before the other side is not read any more.
    static let backlogLimit = 128 * 1024
    /// Far more than one side can cause while the other is held back at `backlogLimit`: only TLS's own answers, to a
    /// peer that keeps asking (for a renegotiation, say) and reads none, get here. Then it is not read either.
    static let backlogCeiling = 1024 * 1024
    /// A client that sends this much before it was answered is held back by TCP.
    static let pendingLimit = 128 * 1024
}

extension ConnectionMachine.Side {
    var other: Self { self == .client ? .origin : .client }
}
