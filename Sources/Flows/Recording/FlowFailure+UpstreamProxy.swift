import Facts

/// An origin that was not reached because of the upstream proxy in front of it.
extension FlowFailure {
    /// - Parameters:
    ///   - proxy: who was called.
    ///   - words: the dialer's reason.
    ///   - target: whom the proxy was to call.
    init(upstreamProxy proxy: Endpoint, _ words: String, _ target: String) {
        if let answer = Self.rest(of: words, behind: "upstream proxy answered ") {
            self.init(
                .originUnreachable, leg: .origin,
                text: "the upstream proxy \(proxy) does not connect to \(target): it answered \(answer)",
                hint: Self.hint(answer))
        } else if let reason = Self.rest(of: words, behind: "upstream proxy, when it was asked: ") {
            self.init(
                .originUnreachable, leg: .origin,
                text: "the upstream proxy \(proxy) was asked for \(target): \(Self.without(proxy, reason))",
                hint: "it may be slow, or this host out of its reach: look into its log, or name another with "
                    + "--upstream-proxy")
        } else {
            let reason = Self.without(proxy, Self.rest(of: words, behind: "upstream proxy: ") ?? words)
            self.init(
                .originUnreachable, leg: .origin,
                text: "the upstream proxy \(proxy) cannot be used: \(reason); \(target) was not called",
                hint: "is the upstream proxy running, and is its address right? it is named by --upstream-proxy, by "
                    + "PINPROOF_UPSTREAM_PROXY or by `upstream.proxy` in the profile")
        }
    }

    /// - Parameter answer: its status line in quotes.
    private static func hint(_ answer: String) -> String {
        switch answer.split(separator: " ").dropFirst().first?.prefix(3) {
        case "407":
            "name user and password, http://USER:PASSWORD@HOST:PORT, in PINPROOF_UPSTREAM_PROXY or with --upstream-proxy"
        case "403": "ask whoever runs the upstream proxy to allow this host, or name another with --upstream-proxy"
        default: "the upstream proxy cannot reach this host: look into its log, or name another with --upstream-proxy"
        }
    }

    /// It was called by this very address.
    private static func without(_ proxy: Endpoint, _ reason: String) -> String {
        reason.hasSuffix(" (\(proxy))") ? String(reason.dropLast(proxy.description.count + 3)) : reason
    }

    private static func rest(of words: String, behind prefix: String) -> String? {
        words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : nil
    }
}

extension Observation.Fault {
    /// It may come of calling somebody, before there is a connection.
    var isOfDialing: Bool {
        switch self {
        case .originNameNotFound, .originUnreachable, .originRefused, .originTimeout, .originReset, .originClosed: true
        case .originCertificate, .originHandshake, .proxyForbidden, .proxyLoop, .proxyLimit, .unreadable: false
        }
    }
}
