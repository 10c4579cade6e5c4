import Facts

/// What was wrong with the origin, and what the proxy itself did not do, in words.
extension FlowFailure {
    /// - Parameters:
    ///   - connection: its `error` and its origin's say why, in the words of the network's or of TLS's library.
    ///   - host: whom it was for.
    init(_ fault: Observation.Fault, _ connection: Observation, _ host: String) {
        let words = connection.upstream?.error ?? connection.error ?? "no reason is known"
        let target = connection.target?.description ?? host
        switch fault {
        case .originNameNotFound:
            self.init(
                .originNameNotFound, leg: .origin,
                text: "no address was found for the name \(host)\(Self.detail(words, without: "cannot resolve "))",
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
        case .originCertificate: self.init(certificateOf: host, words)
        case .originHandshake where connection.upstream?.negotiated == nil && words.contains(Self.noTLS):
            self.init(noTLSAt: target, words)
        case .originHandshake where connection.upstream?.negotiated != nil && Self.alert(in: words) == nil:
            self.init(
                .originRefused, leg: .origin,
                text: "what \(host) sent after the TLS handshake cannot be read: \(words)",
                hint: "its TLS library is at fault, or something on the way changed its bytes: try it without the proxy"
            )
        case .originHandshake: self.init(handshakeWith: host, words, connection.upstream?.asksForCertificate == true)
        case .originClosed where words == Observation.overrun:
            self.init(
                .originClosed, leg: .origin, text: "\(target) said more than its answer: the rest was not passed on",
                hint:
                    "look at how the server counts its answers: what it sent goes on behind Content-Length or the last chunk"
            )
        case .originClosed:
            self.init(
                .originClosed, leg: .origin, text: "\(host) closed the connection: \(words)",
                hint: "look into the server's log: it ended the connection itself")
        case .originReset:
            self.init(
                .originReset, leg: .origin, text: "\(host) reset the connection: \(words)",
                hint: "something on the way, or the server itself, dislikes the connection: try it without the proxy")
        case .proxyForbidden: self.init(forbidden: connection, target)
        case .proxyLoop where words.contains("upstream proxy"):
            self.init(
                .proxyLoop, leg: .proxy,
                text:
                    "\(target): the upstream proxy \(connection.upstreamProxy?.description ?? "") leads back to this one",
                hint:
                    "two proxies are each other's upstream: take --upstream-proxy (or `upstream.proxy` in the profile) "
                    + "away from one of them")
        case .proxyLoop:
            self.init(
                .proxyLoop, leg: .proxy, text: "\(target) leads back to the proxy itself",
                hint: "point the app at the server's own address, or correct `resolve:` in the profile")
        case .proxyLimit:
            self.init(
                .proxyLimit, leg: .proxy, text: words,
                hint: words.contains("the CA is constrained")
                    ? "name a CA that may sign for this host (--ca), or let the host through: `expect: tunnel` in the profile"
                    : "the proxy cannot stand in for this host: let it pass, `expect: tunnel` in the profile")
        case .unreadable where Self.ofRequestsThemselves.contains(where: words.contains):
            self.init(
                .proxyForbidden, leg: .proxy,
                text: "the proxy does not send the rest of this request on\(Self.detail(words, without: "request: "))",
                hint: Self.ofRequestsHint)
        case .unreadable:
            self.init(
                .clientNotTLS, leg: .client,
                text: "what the app sent could not be followed\(Self.detail(words, without: "request: "))",
                hint: "check the app's proxy settings: HTTP proxy, SOCKS5 or TLS with a server name are understood")
        }
    }

    private init(certificateOf host: String, _ words: String) {
        let prefix = "its certificate does not verify: "
        let reason = words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : words
        let hint: String
        if reason.contains("mismatch") {
            hint =
                "ask for a name that is in the certificate, or give the server one for \(host); with `resolve:` in the "
                + "profile, see that the address is the right server's"
        } else if reason.contains("not yet valid") {
            hint = "check this machine's clock, and the server's certificate: it begins later"
        } else if reason.contains("expired") {
            hint = "renew the server's certificate, and check this machine's clock"
        } else if Self.ofCertificatesThemselves.contains(where: reason.contains) {
            hint =
                "no root helps against that: have the certificate, or the CA's above it, made anew without this fault"
        } else if reason.contains("unable to get local issuer") || reason.contains("unable to verify the first") {
            hint =
                "let the server send its intermediate certificates as well; or, if this server is yours, name its root under "
                + "`upstream.roots` in the profile"
        } else {
            hint = "if this server is yours, name its root under `upstream.roots` in the profile"
        }
        self.init(
            .originCertificate, leg: .origin, text: "the certificate of \(host) was not accepted: \(reason)", hint: hint
        )
    }

    /// In OpenSSL's words: what is wrong with a certificate whoever trusts its root.
    private static let ofCertificatesThemselves = [
        "purpose", "too weak", "subtree violation", "critical extension", "invalid CA", "path length",
        "signature failure",
        "key usage does not include", "unsupported name constraint",
    ]

    /// OpenSSL's word for a first record that is none.
    private static let noTLS = "wrong version number"

    private init(noTLSAt target: String, _ words: String) {
        self.init(
            .originRefused, leg: .origin, text: "\(target) does not speak TLS: what it sent is none (\(words))",
            hint: "is it a port of plain HTTP, or of another protocol? Ask for http://, or name the port of HTTPS")
    }

    private init(handshakeWith host: String, _ words: String, _ asksForCertificate: Bool) {
        let alert = Self.alert(in: words)
        if words.contains("dh key too small") {
            self.init(
                .originRefused, leg: .origin,
                text:
                    "the Diffie-Hellman group that \(host) chose is too small, or has more than 4,096 bits (\(words))",
                hint:
                    "let the server prefer elliptic curves (ECDHE); or let it through: `expect: tunnel` in the profile")
            return
        }
        self.init(
            .originRefused, leg: .origin, alert: alert,
            text: "\(host) refused the TLS handshake: \(alert ?? words)",
            hint: asksForCertificate || alert == "certificate_required"
                ? "it asks for a client certificate: name one under `upstream.client_certificates` in the profile"
                : "it may allow no version or cipher suite that the app offers; the proxy offers it what the app does")
    }

    /// `handshake_failure` in OpenSSL's `sslv3 alert handshake failure`.
    private static func alert(in words: String) -> String? {
        guard let found = words.utf8.indices.first(where: { words[$0...].hasPrefix(" alert ") }) else { return nil }
        let name = words[found...].dropFirst(7).prefix { $0 != ":" && $0 != "(" }
            .split(separator: " ").joined(separator: "_")
        return AlertCode.isRegistered(name) ? name : nil
    }

    /// In `WireError`'s words: what is wrong with a request wherever it goes.
    private static let ofRequestsThemselves = [
        "a line of the request", "control character", "malformed header", "is folded", "more than one host",
        "content-length", "transfer-encoding", "the request's address", "chunk", "malformed trailers",
    ]

    private static let ofRequestsHint =
        "the app, or a library in it, makes this request wrongly, and servers refuse it as well: look at how it is made"

    private init(forbidden connection: Observation, _ target: String) {
        let words = connection.error ?? "no reason is known"
        if words.hasPrefix("request: "), words.contains(" is over "), words.hasSuffix(" bytes") {
            self.init(
                .proxyLimit, leg: .proxy, text: "the proxy does not send this request on: \(words.dropFirst(9))",
                hint: "look for what makes it so long: a cookie that grows, or data that belongs into the body")
        } else if words.hasPrefix("request: ") {
            self.init(
                .proxyForbidden, leg: .proxy,
                text: "the proxy does not send this request on: \(words.dropFirst(9))",
                hint: Self.ofRequestsThemselves.contains(where: words.contains)
                    ? Self.ofRequestsHint
                    : "check the app's proxy settings: HTTP proxy, SOCKS5 or TLS with a server name are understood")
        } else if connection.target == nil, connection.via == .tls {
            let isNameless = words.hasPrefix("neither CONNECT nor SNI")
            self.init(
                .proxyForbidden, leg: .proxy,
                text: isNameless
                    ? "the app began with TLS and named no server: the proxy cannot know where to connect to" : words,
                hint: "set the proxy in the app as an HTTP or SOCKS5 proxy, which is told the host, or let it send the "
                    + "server's name (SNI)")
        } else if connection.target == nil {
            self.init(
                .proxyForbidden, leg: .proxy, text: words,
                hint: "start the proxy with --open if it is meant to serve clients from everywhere")
        } else {
            self.init(
                .proxyForbidden, leg: .proxy, text: "the proxy does not call \(target): \(words)",
                hint: "if it should, name the host in the profile, under `hosts` or `resolve`")
        }
    }

    /// `: reason`, or nothing where that only repeats what was said.
    private static func detail(_ words: String, without prefix: String) -> String {
        guard words.hasPrefix(prefix) else { return ": " + words }
        let rest = words.dropFirst(prefix.count)
        guard prefix == "cannot resolve " else { return ": " + rest }
        // `HOST: REASON`; a resolver's name for a missing name is no help to anybody.
        guard let colon = rest.firstIndex(of: ":") else { return "" }
        let reason = rest[colon...].dropFirst(2)
        // Older evidence has the library's words for it.
        return reason.hasPrefix("nodename nor servname") || reason == "no address was found for the name"
            ? "" : ": " + reason
    }
}
