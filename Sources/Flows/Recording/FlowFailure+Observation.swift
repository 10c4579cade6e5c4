import Facts

extension FlowFailure {
    /// Why a connection came to nothing that could be read; nil where nothing is wrong with it.
    ///
    /// - Parameter carriedExchange: a flow of its own tells what it carried.
    package init?(_ connection: Observation, carriedExchange: Bool) {
        let host = connection.host?.text ?? connection.target?.host.text ?? "the origin"
        if let fault = connection.fault {
            self.init(fault, connection, host)
        } else if let upstream = connection.upstream, upstream.negotiated == nil, connection.close?.by == .proxy,
            connection.close?.how == .timeout
        {
            self.init(.originTimeout, connection, host)
        } else if connection.upstream?.error != nil {
            self.init(.originUnreachable, connection, host)
        } else if !carriedExchange, connection.action == .intercepted {
            self.init(ofHandshakeIn: connection, host)
        } else if connection.action == .none {
            self.init(ofRequestIn: connection)
        } else {
            return nil
        }
    }

    /// An exchange that was cut off by the connection's end.
    init?(cutOffBy close: Observation.Close, isAnswered: Bool) {
        let place = isAnswered ? "in the middle of its answer" : "without an answer"
        switch (close.by, close.how) {
        case (.client, _):
            self.init(
                .clientGone, leg: .client,
                text: isAnswered
                    ? "the app closed the connection before the answer was whole"
                    : "the app closed the connection before it was answered",
                hint: "look for a timeout or a cancelled request in the app")
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

    /// An exchange of HTTP/2 that a side has given up, while its connection went on.
    init(givenUpBy leaver: ExchangeStep.Leaver, _ why: String) {
        switch leaver {
        case .reset(.up), .goAway(.up):
            self.init(
                .clientGone, leg: .client, text: why, hint: "look for a timeout or a cancelled request in the app")
        case .reset(.down):
            self.init(
                .originReset, leg: .origin, text: why, hint: "look into the server's log: it ended this stream itself")
        case .goAway(.down):
            self.init(
                .originClosed, leg: .origin, text: why,
                hint: "the server did not look at this request: it can be sent again on another connection")
        }
    }

    /// What is said of an exchange that an end has cut off.
    static func words(for close: Observation.Close?) -> String {
        switch close?.by {
        case .client: "the app closed the connection"
        case .origin: "the server closed the connection"
        case .proxy, .gate, nil: "the connection was ended"
        }
    }

    // MARK: The origin, and what the proxy forbids

    private init(_ fault: Observation.Fault, _ connection: Observation, _ host: String) {
        let words = connection.upstream?.error ?? connection.error ?? "no reason is known"
        let target = connection.target?.description ?? host
        switch fault {
        case .originNameNotFound:
            self.init(
                .originNameNotFound, leg: .origin, text: "\(host) has no address: \(words)",
                hint: "check the spelling and this machine's DNS; `resolve:` in the profile can name an address")
        case .originUnreachable:
            self.init(
                .originUnreachable, leg: .origin, text: "\(target) cannot be reached: \(words)",
                hint: "check the network, a VPN, or the upstream proxy that this host may need")
        case .originRefused:
            self.init(
                .originRefused, leg: .origin, text: "\(target) refused the connection: \(words)",
                hint: "is the server running, and on this port?")
        case .originTimeout:
            self.init(
                .originTimeout, leg: .origin, text: "\(target) did not answer in time: \(words)",
                hint: "try it without the proxy: a firewall may drop what is sent there")
        case .originCertificate:
            self.init(
                .originCertificate, leg: .origin, text: "the certificate of \(host) was not accepted: \(words)",
                hint: "if this server is yours, name its root under `upstream.roots` in the profile")
        case .originHandshake:
            self.init(
                .originRefused, leg: .origin, text: "\(host) refused the TLS handshake: \(words)",
                hint: connection.upstream?.asksForCertificate == true
                    ? "it asks for a client certificate: name one under `upstream.client_certificates` in the profile"
                    : "it may allow no version or cipher suite that the app offers")
        case .originClosed:
            self.init(
                .originClosed, leg: .origin, text: "\(host) closed the connection: \(words)",
                hint: "look into the server's log: it ended the connection itself")
        case .originReset:
            self.init(
                .originReset, leg: .origin, text: "\(host) reset the connection: \(words)",
                hint: "something on the way, or the server itself, dislikes the connection: try it without the proxy")
        case .proxyForbidden:
            self.init(
                .proxyForbidden, leg: .proxy, text: "the proxy does not call \(target): \(words)",
                hint: "if it should, name the host in the profile, under `hosts` or `resolve`")
        case .proxyLoop:
            self.init(
                .proxyLoop, leg: .proxy, text: "\(target) leads back to the proxy itself",
                hint: "point the app at the server's own address, or correct `resolve:` in the profile")
        case .proxyLimit:
            self.init(
                .proxyLimit, leg: .proxy, text: words,
                hint: "the proxy has a limit there, so that nobody can hold it up")
        case .unreadable:
            self.init(
                .clientNotTLS, leg: .client, text: "what the app sent could not be followed: \(words)",
                hint: "the raw bytes of such a connection can be looked at with `--pcapng`")
        }
    }

    // MARK: The client's handshake

    private init?(ofHandshakeIn connection: Observation, _ host: String) {
        let alert = connection.alerts.last { $0.from == .client && $0.isFatal }
        if let alert {
            self.init(refusedBy: alert, connection, host)
        } else if connection.flight == nil {
            guard connection.close?.by == .client else { return nil }
            self.init(
                .clientGone, leg: .client, text: "the app left while the proxy was connecting to \(host)",
                hint: "look for a short timeout in the app")
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
                    "if its requests fail, disable pinning in this build, or let the host pass: `expect: tunnel` in the profile"
            )
        } else {
            return nil
        }
    }

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
                hint: "look at what the app offers: `flows show` names its ClientHello's JA4")
        default:
            self.init(
                .clientRefusedCertificate, leg: .client, alert: alert.name,
                text: "the app refused the proxy's certificate for \(host) (\(alert.name)): it may pin this host",
                hint: Self.trustHint(host))
        }
    }

    private static func trustHint(_ host: String) -> String {
        "install the CA on the device (`pinproof ca export`) and let this build trust it; if it pins \(host), disable that "
            + "or let the host pass: `expect: tunnel` in the profile"
    }

    // MARK: The request

    /// A connection that never came to ask for a host.
    private init?(ofRequestIn connection: Observation) {
        if let error = connection.error {
            self.init(
                .proxyForbidden, leg: .proxy, text: error,
                hint: "check the app's proxy settings: HTTP proxy, SOCKS5 or TLS by server name are understood")
        } else if connection.credentials != nil {
            self.init(
                .proxyForbidden, leg: .proxy, text: "the app gave no proxy credentials that are known",
                hint: "give it one of the names and passwords under `clients:` in the profile")
        } else {
            return nil
        }
    }
}
