import Facts
import Policy

extension ConnectionMachine {
    /// Whose end of the connection.
    enum Side: Hashable {
        case client, origin
    }

    /// When something happened, and what waited to go out to each side then, in bytes.
    struct Moment: Hashable {
        /// Seconds of a clock that is never set back.
        var now: Double
        var toClient = 0
        var toOrigin = 0
        /// The client has sent further requests, which wait for the answer to the one that is on its way.
        var hasMore = false
        /// Intercepted: the client has sent more than what HTTP/2 begins with.
        var showsRequest = false

        var isAllDelivered: Bool { toClient == 0 && toOrigin == 0 }
    }

    /// What has happened.
    enum Event: Hashable {
        // the request
        /// The client named where it wants to go (CONNECT, SOCKS5).
        case tunnelAsked(TunnelErrand)
        /// It sent a plain HTTP request for another server.
        case requestAsked(PlainErrand)
        /// It began with a TLS record, without asking for anything.
        case helloCame
        /// It wants something of the proxy itself.
        case siteAsked
        /// What it asked cannot be done, and it was told so.
        case requestRefused

        // the origin
        case dialed
        case dialFailed(String)
        /// The proxy must not call it: it is the proxy itself (`isLoop`), or not for this client.
        case dialRefused(String, isLoop: Bool)
        /// The origin's handshake is done and its chain verified.
        case originReady
        case originFailed(String)
        /// Whether the origin, which cannot be had, is known well enough to be stood in for.
        case standInTold(isKnown: Bool)

        // the ClientHello
        /// A whole ClientHello was read; `sni` is nil without one. `home`: who lives at the address that was asked for.
        case helloRead(sni: HostName?, home: HostName? = nil)
        /// A ClientHello whose server name is no host name: nothing may be forged for it, and nothing let through.
        case invalidNameRead
        /// A ClientHello that this proxy itself has sent out.
        case ownHelloRead
        /// Something that is not TLS.
        case otherProtocolCame
        /// Nothing for a while: the server may be the one to begin.
        case nothingSaid
        case onsetTold(isSpared: Bool)

        // the forged chain
        case sessionTold(stands: Bool)
        /// - `sessionHost`: whose session it begins, that later connections may resume under another key.
        case presented(Conduct.Answer, sessionHost: HostName?)
        case presentFailed(String)
        case flightSent
        /// The client's Finished was verified.
        case clientFinished(speaksHTTP2: Bool)
        /// What had to be said first has been said to the client.
        case relayBegan
        /// The client's request was answered with our redirect.
        case redirectSent

        // bytes
        /// More waits for a side than `backlogLimit`.
        case backedUp(Side)
        /// All that waited for a side has gone out.
        case drained(Side)
        /// What is held of a client that was not answered yet has reached its limit.
        case heldFull
        /// In a tunnel, a request and its answer have crossed.
        case sawData
        /// In a tunnel, the client has sent a request.
        case requestSeen
        /// A plain request and its answer are whole, and both sides keep their connections.
        case exchangeEnded
        /// A plain request or its answer cannot be followed to its end, so that what comes next is nobody's.
        case exchangeFailed(Fault)
        /// A plain request has its answer, and nobody knows what the client sends next: it was answered without its content, or
        /// the answer's end is not sure.
        case answeredForGood
        /// The client has sent a further request, while the end of an answer cannot be known.
        case askedAgain

        // ends
        /// A side will send nothing more (FIN).
        case ended(Side)
        /// A side's connection is lost.
        case failed(Side, String)
        /// A side said close_notify.
        case saidGoodbye(Side)
        /// A side's TLS cannot go on. `isRefusal`: the client said so itself, by an alert.
        case broke(Side, isRefusal: Bool)
        /// What had to be written was written: what can end now ends.
        case endsWeighed
        /// A client that had ended has taken all that it was sent after that.
        case delivered
        /// Time has passed.
        case ticked
        /// The proxy needs its place, or it asks for nothing.
        case evicted
        /// The trial is over.
        case trialEnded
    }

    /// What is to be done.
    enum Action: Hashable {
        case dial(Endpoint)
        /// Tell the client that its tunnel stands.
        case confirm
        case readHello
        /// Ask the trial whether the attack on the host begins later, and answer with `onsetTold`.
        case askOnset(HostName, Conduct.Onset)
        /// Copy bytes both ways, untouched; what was read so far goes first.
        case tunnel
        /// Send the rewritten request, then copy both ways.
        case forward
        /// The origin had closed the connection that was kept: call it again, and send the same.
        case repeatRequest(Endpoint)
        /// The client's ALPN is offered to it, or a part of that.
        case handshakeWithOrigin(sni: HostName?, verifying: HostName, offering: Conduct.Protocols)
        /// The origin cannot be had. Look up what its host has shown in this run, and answer with `standInTold`.
        case askStandIn(HostName, for: Scope)
        /// What is to be said of it, whatever comes of it.
        case noteLacking(Fault)
        /// Forge by what its host has shown, and answer with `originReady`.
        case standIn(for: HostName, Fault)
        /// Be a server with which no TLS can be had; what was read so far is forgotten.
        case refuseTLS(Attack, Attack.Variant)
        /// Answer CONNECT as a proxy does that lets nobody through, or not at all.
        case refuseConnect(Attack, Attack.Variant, Conduct.ConnectRefusal)
        /// Answer a plain HTTP request with the same URL of https.
        case redirectToTLS(String)
        /// Ask the trial for a session with the host, and answer with `sessionTold`.
        case askSession(HostName)
        /// Forge and present, and answer with `presented` or `presentFailed`.
        case present(Attack, Attack.Variant, for: HostName, beginsSession: Bool)
        /// Nothing of what the client says is for the origin, nor the other way round.
        case takeLeaveOfOrigin
        /// Give the ClientHello to the forged server.
        case replayHello
        /// `greets`: a server that never answers says what servers of HTTP/2 say first.
        case relay(greets: Bool)
        /// Tell the trial that a session under the lent key has carried data.
        case reportSession(HostName)
        /// Tell the client, in the protocol it is waiting in.
        case turnAway(Fault)
        /// A fatal alert, in the clear.
        case alert(AlertCode)
        /// HTTP, where the client waits for a ServerHello.
        case answerInClear

        case pause(Side)
        case resume(Side)
        /// close_notify.
        case sayGoodbye(Side)
        /// FIN, once the backlog is out.
        case end(Side)
        /// RST to the client.
        case reset
        case dropOrigin
        /// A spared tunnel that has worked is closed, and the trial told: the next one is attacked.
        case noteCut
        /// Look whether our flight has arrived; the client has shown a sign of life or death.
        case noteDelivery
        /// The first side to close, and how.
        case noteClose(Observation.Close.Side, Observation.Close.Kind)
        /// Whoever waits for this connection's answer may have it.
        case decided
        /// Look at the ends again, now that everything was written: `endsWeighed`.
        case weighEnds
        /// Look whether a client that had ended has taken what it was sent after that: `delivered`, or it has `failed`, or it
        /// is looked at again when time has passed.
        case weighDelivery
        /// Leave the client to the proxy's own site; nothing is observed of it.
        case visitSite
        /// Leave both connections to the client's next request.
        case handOver
        /// Close what is open, and hand out the observation.
        case finish
    }

    /// Why a connection is turned away.
    enum Fault: Hashable {
        /// No TCP connection to the origin; `isLate`: none in time.
        case unreachable(String, isLate: Bool = false)
        /// The proxy does not call this address for this client.
        case forbidden(String)
        /// It leads back to the proxy.
        case loop(String)
        /// It asks for no host: neither CONNECT nor SNI.
        case nameless
        /// Its ClientHello has a server name that is no host name.
        case invalidName
        /// The origin's handshake or its chain failed; `isLate`: it did not end in time.
        case originRefused(String, isLate: Bool = false)
        /// The attack cannot be made for this origin.
        case cannotPresent(String)
        /// The content of a plain request has no end that everybody would see.
        case unreadable(String)
        /// The same, when a part of the answer has gone to the client, and it can be told nothing.
        case cutShort(String)
        /// The origin ended its connection and had not answered.
        case unanswered
        /// The origin said more than its answer.
        case overrun
    }
}
