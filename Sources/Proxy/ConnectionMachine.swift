import Facts
import Policy

/// Decides what happens to one client connection: facts in, actions out; no sockets, no C, no clock.
struct ConnectionMachine {
    /// What has happened.
    enum Event: Hashable {
        /// The client named where it wants to go (CONNECT, SOCKS5).
        case tunnelAsked(Endpoint)
        /// It sent a plain HTTP request for another server.
        case requestAsked(Endpoint)
        /// It began with a TLS record, without asking for anything.
        case helloCame
        /// A whole ClientHello was read; `sni` is nil without one. `isSpared`: it came before the attack's onset.
        case helloRead(sni: HostName?, isSpared: Bool = false)
        /// A ClientHello whose server name is no host name: nothing may be forged for it, and nothing let through.
        case invalidNameRead
        /// After CONNECT came something that is not TLS.
        case otherProtocolCame
        case dialed
        case dialFailed(String)
        /// The origin's handshake is done and its chain verified.
        case originReady
        case originFailed(String)
        case presentFailed(String)
        /// The client's Finished was verified.
        case clientFinished
    }

    /// What is to be done.
    enum Action: Hashable {
        case dial(Endpoint)
        /// Tell the client that its tunnel stands.
        case confirm
        case readHello
        /// Copy bytes both ways, untouched; what was read so far goes first.
        case tunnel
        /// Send the rewritten request, then copy both ways.
        case forward
        /// The client's ALPN is offered to it, or a part of that.
        case handshakeWithOrigin(sni: HostName?, verifying: HostName, offering: Conduct.Protocols = .all)
        /// Be a server with which no TLS can be had, and send nothing to the origin.
        case refuse(Attack, Attack.Variant, Conduct.Refusal)
        /// Answer a plain HTTP request with the same URL of https.
        case redirectToTLS(HostName)
        case present(Attack, Attack.Variant, for: HostName)
        case relay
        /// Tell the client, in the protocol it is waiting in, and end.
        case turnAway(Fault)
    }

    /// Why a connection is turned away.
    enum Fault: Hashable {
        /// No TCP connection to the origin.
        case unreachable(String)
        /// It asks for no host: neither CONNECT nor SNI, or a server name that is none.
        case nameless
        /// The origin's handshake or its chain failed.
        case originRefused(String)
        /// The attack cannot be made for this origin.
        case cannotPresent(String)
    }

    enum State: Hashable {
        case waitingForRequest
        case dialingForTunnel(Endpoint)
        case dialingForRequest(Endpoint)
        /// `target` is nil for a client that began with TLS.
        case waitingForHello(target: Endpoint?)
        case dialingForHello(sni: HostName, isSpared: Bool)
        case waitingForOrigin(Attack, Attack.Variant, host: HostName)
        case waitingForClient
        case tunnelling, forwarding, relaying
        case turnedAway
        /// The client gets no TLS, or a redirect: nothing more is decided.
        case refused
    }

    private(set) var state = State.waitingForRequest
    let plan: Plan
    /// Which of the profile's clients it is; known before the first event.
    var client: String?

    /// Port of a client that speaks TLS without asking for a port.
    private static let tlsPort: UInt16 = 443

    init(plan: Plan) { self.plan = plan }

    /// Which host a connection is for: the SNI; without one, the name it asked for (contract, "Trials and judging").
    static func host(sni: HostName?, target: Endpoint?) -> HostName? { sni ?? target?.host }

    mutating func on(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.waitingForRequest, .tunnelAsked(let target)):
            state = .dialingForTunnel(target)
            return [.dial(plan.destination(of: target))]
        case (.waitingForRequest, .requestAsked(let target))
        where plan.concerns(client: client) && plan.redirectsCleartext(to: target.host):
            state = .refused
            return [.redirectToTLS(target.host)]
        case (.waitingForRequest, .requestAsked(let target)):
            state = .dialingForRequest(target)
            return [.dial(plan.destination(of: target))]
        case (.waitingForRequest, .helloCame):
            state = .waitingForHello(target: nil)
            return [.readHello]

        case (.dialingForTunnel(let target), .dialed):
            state = .waitingForHello(target: target)
            return [.confirm, .readHello]
        case (.dialingForRequest, .dialed):
            state = .forwarding
            return [.forward]
        case (.dialingForHello(let sni, let isSpared), .dialed):
            return decide(sni: sni, target: Endpoint(sni, Self.tlsPort), isSpared)
        case (.dialingForTunnel, .dialFailed(let reason)), (.dialingForRequest, .dialFailed(let reason)),
            (.dialingForHello, .dialFailed(let reason)):
            return turnAway(.unreachable(reason))

        case (.waitingForHello(nil), .otherProtocolCame): return turnAway(.nameless)
        case (.waitingForHello(let target?), .helloRead(let sni, let isSpared)):
            return decide(sni: sni, target: target, isSpared)
        case (.waitingForHello(nil), .helloRead(let sni, let isSpared)):
            guard let sni else { return turnAway(.nameless) }
            state = .dialingForHello(sni: sni, isSpared: isSpared)
            return [.dial(plan.destination(of: Endpoint(sni, Self.tlsPort)))]
        case (.waitingForHello, .invalidNameRead): return turnAway(.nameless)
        case (.waitingForHello(.some), .otherProtocolCame):
            state = .tunnelling
            return [.tunnel]

        case (.waitingForOrigin(let attack, let variant, let host), .originReady):
            state = .waitingForClient
            return [.present(attack, variant, for: host)]
        case (.waitingForOrigin, .originFailed(let reason)):
            return turnAway(.originRefused(reason))
        case (.waitingForClient, .presentFailed(let reason)):
            return turnAway(.cannotPresent(reason))
        case (.waitingForClient, .clientFinished):
            state = .relaying
            return [.relay]

        default:
            // Anything else came too late to matter: the connection is ending, or was decided.
            return []
        }
    }

    private mutating func decide(sni: HostName?, target: Endpoint, _ isSpared: Bool) -> [Action] {
        let host = sni ?? target.host
        guard plan.concerns(client: client), case .intercept(let attack, let variant) = plan.decide(host),
            !isSpared || variant.conduct.refusalBeforeOnset != nil
        else {
            state = .tunnelling
            return [.tunnel]
        }
        if let refusal = isSpared ? variant.conduct.refusalBeforeOnset : variant.conduct.refusal {
            state = .refused
            return [.refuse(attack, variant, refusal)]
        }
        state = .waitingForOrigin(attack, variant, host: host)
        return [.handshakeWithOrigin(sni: sni, verifying: host, offering: variant.conduct.protocols)]
    }

    private mutating func turnAway(_ fault: Fault) -> [Action] {
        state = .turnedAway
        return [.turnAway(fault)]
    }
}
