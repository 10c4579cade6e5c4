import Policy

/// How long a connection may take (`Patience`), and whether it may still show something.
extension ConnectionMachine {
    mutating func checkDeadline(_ moment: Moment) -> [Action] {
        let age = moment.now - since
        let idle = moment.now - lastActivity
        switch state {
        case .request where age > Patience.request, .hello where age > Patience.hello,
            .listening where age > Patience.hello, .presenting where age > Patience.clientHandshake,
            .ignoring where age > Patience.silence:
            return finish(by: .proxy, .timeout, moment)
        case .dialing where age > Patience.dialing:
            return goWithoutOrigin(
                .unreachable("no connection within \(Int(Patience.dialing)) s", isLate: true), moment)
        case .originHandshake where age > Patience.originHandshake:
            return goWithoutOrigin(
                .originRefused("no handshake within \(Int(Patience.originHandshake)) s", isLate: true), moment)
        case .relaying(let exchange) where exchange.answer == .never && moment.showsRequest:
            return weighLettingGo(exchange, moment)
        case .relaying(let exchange) where exchange.heldEnd != nil && idle > Patience.undecidedAfterFlight:
            return passOnOriginEnd()
        case .copying(let passage) where passage.isWaitedFor && idle > Patience.unmeasured:
            return close(.proxy, .fin) + drain(moment)
        case .copying(let passage)
        where passage.isToBeCut && ends.first == nil && idle >= Conduct.quietBeforeCut && moment.isAllDelivered:
            return passage.cut.map { cut($0, moment) } ?? []
        case .relaying, .copying:
            guard let limit = silenceLimit else { return [] }
            return idle > limit ? finish(by: .proxy, .timeout, moment) : []
        case .draining, .lettingGo:
            let limit = moment.toClient > 0 ? Patience.drainBacklog : Patience.drain
            return idle > limit ? finish(by: .proxy, .timeout, moment) : []
        case .delivering: return idle > Patience.drainBacklog ? finish(by: .proxy, .timeout, moment) : [.weighDelivery]
        default: return []
        }
    }

    /// A request has been seen, and its client would wait for its own time-out. It has shown all it has to: what goes on
    /// meanwhile is still read and counted.
    private mutating func weighLettingGo(_ exchange: Exchange, _ moment: Moment) -> [Action] {
        let asked = exchange.askedInVainAt ?? moment.now
        let isQuiet = moment.now - lastActivity > Patience.quietAfterRequest
        guard isQuiet || moment.now - asked > Patience.requestInVain else {
            var exchange = exchange
            exchange.askedInVainAt = asked
            state = .relaying(exchange)
            return []
        }
        return enter(.lettingGo, moment, [.sayGoodbye(.client), .end(.client), .resume(.client)])
    }

    /// A connection that has worked, or waits to, is closed.
    private mutating func cut(_ how: Conduct.Cut, _ moment: Moment) -> [Action] {
        switch how {
        case .end, .unused: [.noteCut, .dropOrigin] + close(.proxy, .fin) + drain(moment)
        case .reset: [.noteCut, .dropOrigin] + close(.proxy, .rst) + enter(.ended, moment, [.reset, .finish])
        }
    }

    /// How long both sides may be silent once bytes can flow; nil: for ever.
    private var silenceLimit: Double? {
        if case .debugging = plan.phase { return idleLimit }
        // A close is noted with the first FIN or close_notify.
        return ends.first != nil ? Patience.halfClosed : Patience.idle
    }

    /// Whether it has had long enough to say what it wants, where others wait for its place.
    func mayMakeRoom(_ now: Double) -> Bool {
        switch state {
        case .request, .listening, .hello: now - since > Patience.whileOthersWait
        default: false
        }
    }

    /// Whether it may still show, soon, whether the client accepts or refuses.
    func isUndecided(_ now: Double) -> Bool {
        let age = now - accepted
        switch state {
        case .request: return !isContinued && age < Patience.undecidedBeforeRequest
        case .listening, .hello: return age < Patience.undecidedBeforeRequest
        case .knocking, .dialing, .weighing, .originHandshake, .wanting, .forging: return age < Patience.originHandshake
        case .ignoring: return age < Patience.undecidedAfterFlight
        case .presenting(let exchange), .relaying(let exchange):
            return !exchange.asked && now - (exchange.flightAt ?? accepted) < Patience.undecidedAfterFlight
        case .copying(let passage):
            guard passage.isWatched, !passage.sawData else { return false }
            let mayStillAsk = !ends.client && passage.isOfInterest
            return age < (mayStillAsk ? Patience.undecidedTunnel : Patience.undecidedBeforeRequest)
        case .draining: return now - lastActivity < Patience.drain
        case .lettingGo, .delivering, .ended: return false
        }
    }
}
