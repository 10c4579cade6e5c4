import Facts

/// How long each stage of a connection may last, and when the gate need not wait for it any more. All in seconds.
enum Patience {
    /// A client that connected and says nothing; spare sockets of browsers are kept a minute or so.
    static let request = 60.0
    static let hello = 60.0
    static let originHandshake = 20.0
    /// A debugger may hold the client in its certificate check.
    static let clientHandshake = 120.0
    /// A server that says nothing, where an attack asks for one: as long as the patience of common clients (OkHttp 10 s),
    /// and an end for those that have no limit (curl).
    static let silence = 30.0
    /// Longer than the keep-alive of common clients (OkHttp 5 min, URLSession 6 min).
    static let idle = 900.0
    /// For the other side to end as well, once one has.
    static let halfClosed = 30.0
    /// For a client that was told the end to close.
    static let drain = 2.0

    /// After this long without a byte of data, a finished handshake means neither yes nor no (verdicts §5.2, T_close).
    static let undecidedAfterFlight = 10.0
    /// A connection that has not asked for anything yet shows nothing; this is for one that is just about to.
    static let undecidedBeforeRequest = 2.0
    /// For a request through a tunnel: as long as under attack, or a slow client would only ever be seen there.
    static let undecidedTunnel = 10.0
    /// For all connections together. Each of them decides sooner, but a client left behind may open new ones for ever.
    static let settling = 30.0
}

extension Connection {
    func checkDeadline(_ now: Double) {
        dialer?.checkDeadline(now)
        let waited = now - lastActivity
        switch stage {
        case .request where waited > Patience.request, .hello where waited > Patience.hello:
            end(by: .proxy, how: .timeout)
        case .waiting where dialer == nil && waited > Patience.originHandshake:
            handle(.originFailed("no handshake within \(Int(Patience.originHandshake)) s"))
        case .presenting where waited > (clientTLS == nil ? Patience.silence : Patience.clientHandshake):
            end(by: .proxy, how: .timeout)
        case .relaying where heldEnd != nil && waited > Patience.undecidedAfterFlight: passOnOriginEnd()
        case .relaying, .tunnel:
            // A close is noted with the first FIN or close_notify.
            let limit = note.close != nil ? Patience.halfClosed : Patience.idle
            if waited > limit { end(by: .proxy, how: .timeout) }
        case .draining:
            let limit = client.backlog > 0 ? Patience.halfClosed : Patience.drain
            if waited > limit { end(by: .proxy, how: .timeout) }
        default: break
        }
    }

    /// The profile says something of its host, so it matters whether data comes through.
    private var isOfInterest: Bool {
        guard let host = note.host, machine.plan.concerns(client: note.clientName) else { return false }
        return machine.plan.profile.rule(for: host) != nil || machine.plan.profile.isControl(host)
    }

    /// Whether it may still show, soon, whether the client accepts or refuses.
    func isUndecided(_ now: Double) -> Bool {
        let age = now - started
        switch stage {
        case .request, .hello: return age < Patience.undecidedBeforeRequest
        case .waiting: return age < Patience.originHandshake
        case .presenting, .relaying:
            guard note.bytesUp == 0 else { return false }
            guard let flight = note.flight else { return age < Patience.undecidedAfterFlight }
            return age - flight.ms / 1000 < Patience.undecidedAfterFlight
        case .tunnel:
            guard tap?.sawData == false else { return false }
            let mayStillAsk = !clientHasEnded && isOfInterest
            return age < (mayStillAsk ? Patience.undecidedTunnel : Patience.undecidedBeforeRequest)
        case .draining: return now - lastActivity < Patience.drain
        case .ended: return false
        }
    }
}
