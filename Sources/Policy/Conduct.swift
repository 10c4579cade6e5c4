import Facts

/// How the forged server behaves beside its chain; the default is as the genuine one does.
package struct Conduct: Hashable, Sendable {
    /// Which connections of a host are attacked; those before are tunnelled, or meet an outage.
    package enum Onset: Hashable, Sendable {
        case atOnce
        /// From the one after the first so many of a trial, counted by their ClientHellos: also where the earlier ones are
        /// still open beside it.
        case afterConnections(Int)
        /// This one of a trial's (1, 2, …), counted by their ClientHellos, and no other.
        case only(Int)
        /// All of a trial's but this one (2, 3, …).
        case allBut(Int)
        /// Those opened so many seconds after the host's first of the trial, or later.
        case afterSeconds(Double)
        /// Those opened after the host was asked so many requests, as far as a tunnel shows them.
        case afterRequests(Int)
        /// From the one after the first so many of a trial, which get no TLS.
        case afterOutage(Refusal, Int)
        /// From the one after the first of a trial, which is cut off when the client has asked the genuine server something.
        case afterLostAnswer
        /// The same, but nothing is cut off: the answer never comes.
        case afterNoAnswer
        /// Those that are opened once one has been closed, which had been answered and gone quiet: a client that lives on has
        /// to make another one then.
        case afterCut(Cut)
        /// From the one after the first of a trial, whose CONNECT (or SOCKS request) is refused.
        case afterRefusedConnect(ConnectRefusal)
    }

    /// How a connection that has worked, or waits to, is closed.
    package enum Cut: Hashable, Sendable {
        /// FIN, as a server does that has waited long enough.
        case end
        /// RST, as a router does that has forgotten it.
        case reset
        /// FIN, before it was asked anything: it was opened ahead, and rests.
        case unused
    }

    /// How a proxy lets nobody through.
    package enum ConnectRefusal: Hashable, Sendable {
        /// 502.
        case badGateway
        /// 503.
        case unavailable
        /// 407.
        case authentication
        /// The connection is closed without an answer.
        case closed
        /// No answer at all.
        case silence
    }

    /// What is agreed with the client.
    package enum Offer: Hashable, Sendable {
        /// The version and ALPN that the origin agreed to.
        case mirrored
        /// TLS 1.2, where client and origin would have taken 1.3.
        case tls12
        /// HTTP/1.1, or no ALPN, where they would have taken h2.
        case http1
        /// TLS 1.2 and HTTP/1.1, each where the client has it on offer.
        case older
        /// No application protocol, whatever the client offers.
        case noALPN
        /// TLS 1.3 and h2, each where the client has it on offer, whatever the origin takes.
        case newer
        /// This version, and no other.
        case only(TLSVersion)
        /// TLS 1.2 suites without encryption.
        case unencrypted
        /// TLS 1.2 suites without a certificate.
        case anonymous
    }

    package enum Answer: Hashable, Sendable {
        /// What the origin says.
        case relayed
        /// Requests are read, and nobody answers.
        case never
        /// A redirect to the host of `Plan.redirectTarget`; HTTP/1.1 is all that is spoken.
        case redirect
        /// That there is nothing of the kind (404), and no content; HTTP/1.1 is all that is spoken.
        case notFound
    }

    /// How a redirect spells its host (RFC 3986 §6.2, RFC 1034 §3.1): all lead to the same one.
    package enum Spelling: Hashable, Sendable {
        /// `api.example.com`
        case plain
        /// `api.example.com.`
        case finalDot
        /// `API.EXAMPLE.COM`
        case capitals
        /// `api.example.com:443`
        case port

        /// Host and port as a URL has them. An address has no other spelling here, but for the port.
        package func place(of host: HostName) -> String {
            guard let address = host.address else {
                return switch self {
                case .plain: host.text
                case .finalDot: host.text + "."
                case .capitals: host.text.uppercased()
                case .port: host.text + ":443"
                }
            }
            return (address.isIPv4 ? host.text : "[\(host.text)]") + (self == .port ? ":443" : "")
        }
    }

    /// A server with which no TLS can be had within a dialogue that begins in the clear.
    package enum DenialOfTLS: Hashable, Sendable {
        /// It offers none, and knows no request for it.
        case hidden
        /// It offers TLS, and answers the request for it with an error.
        case refused
    }

    /// A server with which no TLS can be had at all.
    package enum Refusal: Hashable, Sendable {
        case reset, close, handshakeFailure, inappropriateFallback
        /// An alert that no such name is known (RFC 6066 §3): what made clients leave the name out.
        case unrecognizedName
        /// HTTP in the clear where a ServerHello should be, as a server says that speaks no TLS at that port.
        case plainAnswer
        case silence
    }

    package var onset: Onset
    package var offer: Offer
    package var answer: Answer
    package var spelling: Spelling
    /// Sessions may be resumed, by ticket or session id.
    package var resumption: Bool
    /// nil: the handshake goes on.
    package var refusal: Refusal?
    /// What a client finds that asks for TLS within a dialogue in the clear (STARTTLS); nil: TLS. What begins with TLS is left
    /// alone where it finds none.
    package var denialOfTLS: DenialOfTLS?
    /// Hosts that do not have to refuse are left alone as well: nothing but the attacked host is forged.
    package var sparesOthers: Bool
    /// Hosts that do not have to refuse cannot be reached: what an app fetches from them, its pins perhaps, is not there.
    package var cutsOffOthers: Bool
    /// Hosts that are forged and do not have to refuse answer every request with an error, in the origin's place: what an app
    /// fetches from them is not there either. Those that are not forged are left alone.
    package var emptiesOthers: Bool
    /// All hosts that are forged are shown one and the same certificate, which names them all.
    package var sharesCertificate: Bool
    /// The client is asked for its certificate, where the origin asks.
    package var asksForCertificate: Bool
    /// What the app finds in PINPROOF_STATE when it begins.
    package var beginning: Beginning
    /// The day that the client's clock is set to; nil: today.
    package var clock: CalendarDate?

    /// What a start finds of those before it.
    package enum Beginning: Hashable, Sendable {
        /// Nothing.
        case anew
        /// A copy of what the last untouched start of the run left.
        case afterUntouched
        /// A copy of what a start under `trusted-ca` left; of `second-start` where there was one, as that had found what an
        /// untouched one left.
        case afterAttacked
    }

    /// What of the client's ALPN the origin is offered.
    package enum Protocols: Hashable, Sendable {
        case all
        /// HTTP/1.1 or nothing: HTTP/2 asks for more TLS than the old offers give.
        case http1
        /// HTTP/1.1 alone where the client speaks it, else all.
        case http1IfOffered
        case none
    }

    package var protocols: Protocols {
        switch offer {
        case .mirrored, .tls12, .newer: answer == .redirect || answer == .notFound ? .http1 : .all
        case .older: .http1IfOffered
        case .noALPN: .none
        case .http1, .only, .unencrypted, .anonymous: .http1
        }
    }

    /// What an app fetches from other hosts is not there: one that cannot go on without it has shown nothing.
    package var failsOthers: Bool { cutsOffOthers || emptiesOthers }

    /// The app goes on from an earlier start.
    package var continuesState: Bool { beginning != .anew }

    /// What the connections before the onset meet; nil: the genuine server.
    package var refusalBeforeOnset: Refusal? {
        if case .afterOutage(let refusal, _) = onset { refusal } else { nil }
    }

    /// Something goes wrong before the onset, which no untouched trial shows.
    package var beginsWithOutage: Bool {
        switch onset {
        case .afterOutage, .afterLostAnswer, .afterNoAnswer, .afterRefusedConnect: true
        case .atOnce, .afterConnections, .only, .allBut, .afterSeconds, .afterRequests, .afterCut: false
        }
    }

    /// Seconds without a byte after which a connection that has worked, or waits to, is closed.
    package static let quietBeforeCut = 1.0

    /// The first connection is closed once it has worked.
    package var cutsWhatWorked: Bool { if case .afterCut = onset { true } else { false } }

    /// What the first CONNECT of a trial meets; nil: it is answered as any other.
    package var connectRefusal: ConnectRefusal? {
        if case .afterRefusedConnect(let refusal) = onset { refusal } else { nil }
    }

    package init(
        onset: Onset = .atOnce, offer: Offer = .mirrored, answer: Answer = .relayed, spelling: Spelling = .plain,
        resumption: Bool = false, refusal: Refusal? = nil, sparesOthers: Bool = false, cutsOffOthers: Bool = false,
        emptiesOthers: Bool = false,
        sharesCertificate: Bool = false, asksForCertificate: Bool = true, denialOfTLS: DenialOfTLS? = nil,
        beginning: Beginning = .anew, clock: CalendarDate? = nil
    ) {
        self.clock = clock
        self.onset = onset
        self.offer = offer
        self.answer = answer
        self.spelling = spelling
        self.resumption = resumption
        self.refusal = refusal
        self.sparesOthers = sparesOthers
        self.cutsOffOthers = cutsOffOthers
        self.emptiesOthers = emptiesOthers
        self.sharesCertificate = sharesCertificate
        self.asksForCertificate = asksForCertificate
        self.beginning = beginning
        self.denialOfTLS = denialOfTLS
    }
}
