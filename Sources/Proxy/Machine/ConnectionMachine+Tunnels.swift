import Facts
import Policy

/// How a tunnel is asked for, and begins.
extension ConnectionMachine {
    /// What a client asks for by CONNECT or SOCKS5.
    struct TunnelErrand: Hashable {
        var target: Endpoint
        /// Who lives at the address that it asks for.
        var home: HostName?
        /// It asks for an address, and a name that its ClientHello says may lead elsewhere (`Plan.mayBeNamed`).
        var mayBeNamed = false
    }

    mutating func askedForTunnel(_ errand: TunnelErrand, _ moment: Moment) -> [Action] {
        let host = errand.home ?? errand.target.host
        asked = host
        guard isReachable(host) else { return turnAway(.unreachable(Self.cutOff), moment) }
        if case .intercept(_, let variant) = decide(host), variant.conduct.connectRefusal != nil {
            return enter(.knocking(errand, for: host), moment, [.askOnset(host, variant.conduct.onset)])
        }
        return openTunnel(errand, moment)
    }

    mutating func openTunnel(_ errand: TunnelErrand, _ moment: Moment) -> [Action] {
        guard errand.mayBeNamed else { return call(errand.target, moment) }
        return enter(.listening(errand.target), moment, confirm() + [.readHello])
    }

    /// What a client of a tunnel says first is for whoever is there, or it is about to be told something.
    mutating func call(_ target: Endpoint, _ moment: Moment) -> [Action] {
        enter(.dialing(.tunnel(target)), moment, [.dial(plan.destination(of: target))])
    }

    /// Where a name leads that a client was slow to say: nothing has been said to the address, or by it, meanwhile. nil: to
    /// that one. Whoever was redirected here goes where it wanted to go.
    func lateGoal(_ target: Endpoint?, _ sni: HostName?) -> Endpoint? {
        guard let target, originalDestination == nil, case let goal = plan.named(target, sni), goal != target else {
            return nil
        }
        return goal
    }

    /// Once.
    mutating func confirm() -> [Action] {
        defer { isTold = true }
        return isTold ? [] : [.confirm]
    }

    /// Nobody is let through to the host.
    mutating func refuseConnect(_ host: HostName, _ moment: Moment) -> [Action] {
        guard case .intercept(let attack, let variant) = decide(host),
            let refusal = variant.conduct.connectRefusal
        else { return [] }
        let begin = [Action.refuseConnect(attack, variant, refusal)]
        switch refusal {
        case .badGateway, .unavailable, .authentication, .closed: return begin + close(.proxy, .fin) + drain(moment)
        case .silence: return begin + enter(.ignoring, moment, [.resume(.client)])
        }
    }
}
