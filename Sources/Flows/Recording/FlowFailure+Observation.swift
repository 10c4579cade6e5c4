import Facts

extension FlowFailure {
    /// Why a connection came to nothing that could be read; nil where nothing is wrong with it.
    ///
    /// - Parameter carriedExchange: a flow of its own tells what it carried.
    package init?(_ connection: Observation, carriedExchange: Bool) {
        let host = connection.host?.text ?? connection.target?.host.text ?? "the origin"
        if let side = connection.renegotiates, connection.close != nil {
            self.init(renegotiationBy: side, host)
        } else if let close = connection.close, close.unreadable != nil {
            self.init(unreadableIn: close, host: host)
        } else if let proxy = connection.upstreamProxy, !connection.isDialed, connection.fault?.isOfDialing == true {
            self.init(
                upstreamProxy: proxy, connection.upstream?.error ?? connection.error ?? "no reason is known",
                connection.target?.description ?? host)
        } else if carriedExchange, connection.fault == .originClosed, connection.close?.by == .client {
            // The origin ends because its client has.
            self.init(cutOffBy: Observation.Close(by: .client, how: .fin, ms: 0), .unanswered)
        } else if let fault = connection.fault {
            self.init(fault, connection, host)
        } else if let upstream = connection.upstream, upstream.negotiated == nil, connection.close?.by == .proxy,
            connection.close?.how == .timeout
        {
            self.init(.originTimeout, connection, host)
        } else if connection.upstream?.error != nil {
            self.init(.originUnreachable, connection, host)
        } else if !carriedExchange, connection.action == .intercepted {
            self.init(ofHandshakeIn: connection, host)
        } else if !carriedExchange, connection.action == .none {
            self.init(ofRequestIn: connection, host)
        } else if carriedExchange, connection.action == .none, connection.via == .http, connection.close?.by == .client
        {
            self.init(leftWhileCalling: connection.target?.description ?? host)
        } else {
            return nil
        }
    }

    /// TLS 1.2 may begin its handshake anew on a connection: servers ask for a certificate so, for a part of what they have.
    private init(renegotiationBy side: Observation.Close.Side, _ host: String) {
        self.init(
            .proxyLimit, leg: .proxy,
            text:
                "\(side == .client ? "the app" : host) wanted to renegotiate TLS on this connection, which the proxy does not do",
            hint: side == .client
                ? "let the host through, `expect: tunnel` in the profile; or let the app use TLS 1.3, which has none"
                : "servers ask so for a client certificate: let the server ask when a connection begins, or let the host "
                    + "through: `expect: tunnel` in the profile")
    }

    /// The app has given up before there was an origin.
    private init(leftWhileCalling target: String) {
        self.init(
            .clientGone, leg: .client, text: "the app left while the proxy was connecting to \(target)",
            hint: "the server may be slow or out of reach: try it without the proxy; or the app has a short timeout")
    }

    /// An exchange that was cut off by the connection's end.
    ///
    /// - Parameter reached: how far it had come.
    init?(cutOffBy close: Observation.Close, _ reached: Reached) {
        let place =
            switch reached {
            case .asking: "before the head of the request was whole"
            case .unanswered: "without an answer"
            case .inHead: "before the head of its answer was whole"
            case .answering: "in the middle of its answer"
            case .answered: "after its answer, and before the request was whole"
            }
        let what =
            switch reached {
            case .asking: "before the head of its request was whole"
            case .unanswered: "before it was answered"
            case .inHead: "before the head of the answer was whole"
            case .answering: "before the answer was whole"
            case .answered: "before its own request was whole; the answer is"
            }
        switch (close.by, close.how) {
        case _ where close.unreadable != nil: self.init(unreadableIn: close, close.by == .origin ? place : what)
        case (.client, _):
            self.init(
                .clientGone, leg: .client, text: "the app closed the connection \(what)", hint: Self.goneHint)
        case (.origin, .rst):
            self.init(
                .originReset, leg: .origin, text: "the server reset the connection \(place)",
                hint:
                    "ask the server without the proxy; if that works, its limits may be stricter for what the proxy sends"
            )
        case (.origin, _):
            self.init(
                .originClosed, leg: .origin, text: "the server closed the connection \(place)",
                hint: "look into the server's log: it ended the connection itself")
        case (.proxy, .timeout):
            self.init(
                .proxyLimit, leg: .proxy, text: "nothing came for too long, and the proxy ended the connection",
                hint: "look at `--idle`: it says how long a silent connection is kept")
        default: return nil
        }
    }

    /// Who ended the connection is the proxy, whose TLS cannot go on; nil where it could.
    ///
    /// - Parameters:
    ///   - moment: when that was, of an exchange: `in the middle of its answer`.
    ///   - host: whom it was for, where no exchange says that.
    private init?(unreadableIn close: Observation.Close, _ moment: String? = nil, host: String? = nil) {
        guard let reason = close.unreadable else { return nil }
        let isOrigin = close.by == .origin
        let sender = isOrigin ? host ?? "the server" : "the app"
        let handshake = isOrigin ? "the TLS handshake" : "the TLS handshake" + (host.map { " for \($0)" } ?? "")
        let hint = "its TLS library is at fault, or something on the way changed its bytes: "
        self.init(
            isOrigin ? .originRefused : .clientNotTLS, leg: isOrigin ? .origin : .client,
            text: "what \(sender) sent after \(handshake) cannot be read (\(reason)): the proxy ended the connection"
                + (moment.map { " \($0)" } ?? ""),
            hint: hint
                + (isOrigin ? "try it without the proxy" : "to let the host through: `expect: tunnel` in the profile"))
    }

    /// How far an exchange had come when it was cut off.
    enum Reached { case asking, unanswered, inHead, answering, answered }

    /// An exchange whose answer came when nobody was there to take it.
    static let leftBeforeAnswer = FlowFailure(
        .clientGone, leg: .client, text: "the app closed the connection before the answer came, and did not take it",
        hint: goneHint)

    /// An answer without a length, over TLS, whose end nobody has vouched for.
    static let withoutCloseNotify = FlowFailure(
        .originClosed, leg: .origin,
        text:
            "the server ended the connection without TLS's close_notify: its answer has no length, and may be cut off",
        hint: "strict clients fail here; let the server send a Content-Length, or close_notify before it closes")

    /// A server that takes connections and ends each before it could be asked for its certificate.
    static func saidNothing(by host: String?) -> FlowFailure {
        FlowFailure(
            .originClosed, leg: .origin,
            text: "\(host ?? "the server") closed the connection before the TLS handshake, without a word",
            hint: "nothing may stand behind what takes its connections: a published port without a service, or a load "
                + "balancer without servers; ask it without the proxy")
    }

    private static let goneHint = "look for a timeout or a cancelled request in the app"

    /// An exchange of HTTP/2 that a side has given up, while its connection went on.
    init(givenUpBy leaver: ExchangeStep.Leaver, _ why: String) {
        switch leaver {
        case .reset(.up), .goAway(.up), .farewell(.up):
            self.init(
                .clientGone, leg: .client, text: why, hint: Self.goneHint)
        case .reset(.down):
            self.init(
                .originReset, leg: .origin, text: why, hint: "look into the server's log: it ended this stream itself")
        case .goAway(.down):
            self.init(
                .originClosed, leg: .origin, text: why,
                hint: "the server did not look at this request: it can be sent again on another connection")
        case .farewell(.down):
            self.init(
                .originClosed, leg: .origin, text: why,
                hint: "the server ended the whole connection, and says why: look for what it means in its log")
        }
    }

    /// A tunnel that was not ended by those who use it as they do that; nil where nobody is to blame.
    init?(tunnelCutOffBy close: Observation.Close, _ host: String?) {
        switch (close.by, close.how) {
        case _ where close.unreadable != nil: self.init(unreadableIn: close, host: host)
        case (.origin, .rst):
            self.init(
                .originReset, leg: .origin, text: "\(host ?? "the server") reset the connection",
                hint: "the proxy only let it pass: look into the server's log, or at the network on the way to it")
        case (.proxy, .timeout): self.init(cutOffBy: close, .answering)
        default: return nil
        }
    }

    /// What is said of an exchange that an end has cut off.
    static func words(for close: Observation.Close?) -> String {
        switch close?.by {
        case .client: "the app closed the connection"
        case .origin where close?.unreadable == nil: "the server closed the connection"
        case .origin, .proxy, .gate, nil: "the connection was ended"
        }
    }

    // MARK: The client's handshake

    private init?(ofHandshakeIn connection: Observation, _ host: String) {
        let alert = connection.alerts.last { $0.from == .client && $0.isFatal }
        if let close = connection.close, close.by == .origin, Self.wasAccepted(connection, by: close.ms) {
            guard connection.isUnused else { return nil }
            self.init(
                close.how == .rst ? .originReset : .originClosed, leg: .origin,
                text: "\(host) ended the connection; the app had finished the handshake, and asked nothing yet",
                hint: "servers end connections that nobody uses for a while; if the app's requests fail, look into the "
                    + "server's log")
        } else if let alert {
            self.init(refusedBy: alert, connection, host)
        } else if let own = connection.alerts.last(where: { $0.from == .proxy && $0.isFatal }), connection.error != nil,
            connection.finishedMS == nil
        {
            guard !Self.ofBrokenBytes.contains(own.name) else {
                self.init(
                    .clientNotTLS, leg: .client, alert: own.name,
                    text: "what the app sent in its handshake for \(host) cannot be read (\(own.name)): "
                        + Self.withoutSide(connection.error),
                    hint:
                        "its TLS library is at fault, or something on the way changed its bytes; to let the host through: "
                        + "`expect: tunnel` in the profile")
                return
            }
            self.init(
                .clientNoCommonParameters, leg: .client, alert: own.name,
                text: "the app and the proxy found no common TLS parameters for \(host) (\(own.name)): "
                    + Self.withoutSide(connection.error),
                hint: Self.offerHint)
        } else if connection.flight == nil {
            guard connection.close?.by == .client else { return nil }
            self.init(leftWhileCalling: host)
        } else if connection.finishedMS == nil {
            guard connection.close?.by != .proxy || connection.error != nil else {
                self.init(
                    .clientGone, leg: .client, text: "the app stopped in the middle of the handshake for \(host)",
                    hint: "look for a debugger that holds it, or a network that lost the rest")
                return
            }
            self.init(
                .clientRefusedCertificate, leg: .client,
                text:
                    "the app broke off the handshake when it saw the proxy's certificate for \(host), and did not say why",
                hint: Self.trustHint(host))
        } else if connection.bytesUp == 0 {
            self.init(
                .clientClosedAfterHandshake, leg: .client,
                text:
                    "the app finished the handshake for \(host) and closed without asking anything: it may pin this host, "
                    + "or had no use for the connection",
                hint:
                    "if its requests fail, disable pinning in this build, or let the host through: `expect: tunnel` in the profile"
            )
        } else {
            return nil
        }
    }

    /// The app had finished the handshake, and had nothing against it until the server ended the connection. What it says
    /// after that is about that end, which OpenSSL calls a `decode_error`; but a word about certificates is about ours.
    private static func wasAccepted(_ connection: Observation, by end: Double) -> Bool {
        connection.finishedMS != nil
            && !connection.alerts.contains {
                $0.from == .client && $0.isFatal && ($0.ms < end || ofCertificates.contains($0.name))
            }
    }

    private static let ofCertificates: Set<String> = [
        "no_certificate", "bad_certificate", "unsupported_certificate", "certificate_revoked", "certificate_expired",
        "certificate_unknown", "unknown_ca", "access_denied",
    ]

    /// What we say of bytes that are wrong, and not of an offer that does not suit us.
    private static let ofBrokenBytes: Set<String> = [
        "unexpected_message", "bad_record_mac", "record_overflow", "decode_error", "decrypt_error",
    ]

    private init(refusedBy alert: Alert, _ connection: Observation, _ host: String) {
        switch alert.name {
        case "unknown_ca":
            self.init(
                .clientRefusedCertificate, leg: .client, alert: alert.name,
                text: "the app does not trust the proxy's certificate for \(host) (unknown_ca)",
                hint: Self.trustHint(host))
        case "handshake_failure", "protocol_version", "insufficient_security", "no_application_protocol",
            "illegal_parameter", "unsupported_extension", "missing_extension":
            self.init(
                .clientNoCommonParameters, leg: .client, alert: alert.name,
                text: "the app and the proxy found no common TLS parameters for \(host) (\(alert.name))",
                hint: Self.offerHint)
        default:
            // OpenSSL says `bad_certificate` of one that is not yet valid.
            let mayBeClock = alert.name == "bad_certificate" || alert.name == "certificate_expired"
            self.init(
                .clientRefusedCertificate, leg: .client, alert: alert.name,
                text: "the app refused the proxy's certificate for \(host) (\(alert.name)): it may pin this host"
                    + (mayBeClock ? ", or its clock may be wrong" : ""),
                hint: Self.trustHint(host) + (mayBeClock ? "; and see that the device's date is right" : ""))
        }
    }

    private static func trustHint(_ host: String) -> String {
        "open http://pinproof.test/ on the device and install the CA (or `pinproof ca export`), and let this build trust it; "
            + "if it pins \(host), disable that or let the host through: `expect: tunnel` in the profile"
    }

    /// `client: no shared cipher` without whose session it was.
    private static func withoutSide(_ error: String?) -> String {
        let error = error ?? "no reason is known"
        return error.hasPrefix("client: ") ? String(error.dropFirst(8)) : error
    }

    private static let offerHint =
        "compare what the app allows (TLS versions, cipher suites, signature algorithms) with what is usual: the proxy "
        + "has certificates with P-256 and RSA keys; or let the host through: `expect: tunnel` in the profile"

    // MARK: The request

    /// A connection that came to nothing before there was TLS.
    private init?(ofRequestIn connection: Observation, _ host: String) {
        if let error = connection.error {
            self.init(
                .proxyForbidden, leg: .proxy, text: error,
                hint: "check the app's proxy settings: HTTP proxy, SOCKS5 or TLS by server name are understood")
        } else if connection.credentials != nil {
            self.init(
                .proxyForbidden, leg: .proxy, text: "the app gave no proxy credentials that are known",
                hint: "give it one of the names and passwords under `clients:` in the profile")
        } else if let unfinished = connection.unfinished {
            self.init(left: unfinished, connection)
        } else if let target = connection.target, connection.close?.by == .client {
            if connection.isDialed {
                self.init(
                    .clientGone, leg: .client, text: "the app opened a tunnel to \(target) and closed it unused",
                    hint: "apps open connections that they need not in the end; if its requests fail, look into its log"
                )
            } else {
                self.init(leftWhileCalling: target.description)
            }
        } else if let target = connection.target, connection.close?.by == .proxy, connection.close?.how == .timeout {
            self.init(
                .proxyLimit, leg: .proxy, text: "the app opened a tunnel to \(target) and did not begin in it",
                hint: "look for what holds the app: a debugger, or a lock; the proxy waits a minute")
        } else {
            return nil
        }
    }
}

extension FlowFailure {
    /// A connection that came to its end in the middle of what should begin it.
    fileprivate init(left unfinished: Observation.Unfinished, _ connection: Observation) {
        let isClient = connection.close?.by == .client
        switch unfinished {
        case .clientHello(let count):
            let place = connection.target.map { " for \($0)" } ?? ""
            self.init(
                .clientGone, leg: .client,
                text: "the app began a TLS handshake\(place), and "
                    + (isClient ? "left in the middle of its ClientHello" : "the rest of its ClientHello did not come")
                    + " (\(English.count(count, "byte")) came)",
                hint:
                    "a ClientHello that is too large for one packet (post-quantum keys make it so) is lost by some networks "
                    + "and VPNs; or the app has a short timeout")
        case .request(let count):
            self.init(
                .clientGone, leg: .client,
                text: (isClient
                    ? "the app left in the middle of what it asked the proxy for"
                    : "the rest of what the app asked the proxy for did not come")
                    + " (\(English.count(count, "byte")) came)",
                hint: "look for a timeout in the app, or a network that loses packets between it and the proxy")
        }
    }
}

extension Observation {
    /// Nothing went over it but what every connection of HTTP/2 begins with.
    fileprivate var isUnused: Bool {
        bytesUp == 0 ? bytesDown == 0 || negotiated?.alpn == "h2" : prefaceOnly
    }
}
