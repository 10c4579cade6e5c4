import Facts

extension Attack {
    /// The genuine server first, and `trusted-ca` once the client has seen it: for pins that are checked on the first
    /// connection only, or on a connection of their own before the one that is used. Or an outage first: for clients
    /// that try again by another way, without the pin. A safe client refuses each forged connection as it refuses the
    /// first one; data on one of them tells. The connections before are no evidence.
    package static let laterConnection = Attack(
        id: "later-connection", set: .standard,
        presents: "the genuine server or an outage at first, and trusted-ca on later connections",
        source: "CWE-367; CWE-636; plugins that check a connection of their own (macif-dev/ssl_pinning_plugin#3)",
        weakness: .bypass,
        standards: .pin, advice: Advice.whole, reading: Reading(occasion: .furtherConnection),
        variants: [later("second", .standard, .afterConnections(1))] + alone + weaklyAlone + [
            // For who remembers a certificate that was looked at, by what can be copied of it: among the genuine ones, or by the
            // genuine issuers' key identifiers and without those.
            weakly("second-cloned", .all, .afterConnections(1)),
            Variant(
                name: "second-copied", set: .all, advice: Advice.weaker,
                recipe: Recipe(subordinates: .genuineIssuerLookalikes, identity: .genuine, key: .likeTheGenuine),
                conduct: Conduct(onset: .afterConnections(1))),
            // For what was refused, and is sent by another client once the next connection has worked: an outbox.
            later("all-but-second", .all, .allBut(2), Advice.outbox),
            // For what only an app does that has been there before, behind its first connection: a sync, a token's refresh.
            Variant(
                name: "second-start", set: .standard, reading: Reading(occasion: .earlierStart),
                advice: Advice.signedIn,
                recipe: .likeTheGenuine, conduct: Conduct(onset: .afterConnections(1), beginning: .afterUntouched)),
            // For what an earlier start could not send, and the next one sends by another client once it is signed in: an outbox.
            Variant(
                name: "after-refusal", set: .all, reading: Reading(occasion: .earlierStart),
                advice: Advice.outbox,
                recipe: .likeTheGenuine, conduct: Conduct(onset: .afterConnections(1), beginning: .afterAttacked)),
            // For reconnects by another client than the first connection's: of pools, of WebSockets, of MQTT.
            later("after-cut", .standard, .afterCut(.end), Advice.reconnect),
            weakly("after-cut-cloned", .all, .afterCut(.end)),
            later("after-cut-reset", .all, .afterCut(.reset), Advice.reconnect),
            later("after-cut-unused", .all, .afterCut(.unused), Advice.reconnectAhead),
            later("after-2s", .all, .afterSeconds(2)),
            later("after-3-requests", .all, .afterRequests(3)),
            afterOutages(.reset, 1, in: .all),
            weakly("after-reset-cloned", .all, .afterOutage(.reset, 1)),
            // As often as it takes for stacks that try again by themselves.
            afterOutages(.reset, 3, in: .all),
            afterOutages(.close, 1, in: .all),
            afterOutages(.handshakeFailure, 1, in: .all),
            afterOutages(.silence, 1, in: .all),
            afterOutages(.unrecognizedName, 1, in: .all),
            afterOutages(.plainAnswer, 1, in: .all),
            later(
                "after-502", .all, .afterRefusedConnect(.badGateway), Advice.afterFailure("the proxy refused (502)")),
            later(
                "after-503", .all, .afterRefusedConnect(.unavailable), Advice.afterFailure("the proxy refused (503)")),
            later(
                "after-closed-tunnel", .all, .afterRefusedConnect(.closed),
                Advice.afterFailure("the proxy closed without an answer")),
            later(
                "after-407", .all, .afterRefusedConnect(.authentication),
                Advice.afterFailure("the proxy wanted a login for (407)")),
            later(
                "after-no-tunnel", .all, .afterRefusedConnect(.silence),
                Advice.afterFailure("the proxy did not answer for")),
            later("after-no-answer", .all, .afterNoAnswer, Advice.afterFailure("gave no answer")),
            // java.net.HttpURLConnection asks again by itself, on a connection that an app does not get to see: one that
            // checks by hand falls for this, and its team can mend that only by another client. So not in a set.
            later("after-lost-answer", .named, .afterLostAnswer, Advice.lostAnswer),
        ])

    /// One connection alone, all others untouched. A client that gives up at its first refusal never comes to its third
    /// connection under `second`, and what it opens beside another one may depend on that.
    private static let alone: [Variant] = [
        "second-only", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
    ].enumerated().map { index, name in
        let place = index + 2
        return later(name, place <= aloneInStandard ? .standard : .all, .only(place), Advice.oneOfSeveral)
    }

    /// The same for connections with a pin of their own that is weaker than the others': made early and used last, or beside one
    /// that is looked at well. Where both are attacked the sound one refuses, and the other is thrown away unused.
    private static let weaklyAlone: [Variant] = [
        "first-cloned", "second-only-cloned", "third-cloned", "fourth-cloned",
    ].enumerated().map { index, name in weakly(name, .standard, .only(index + 1)) }

    /// The outages that are repeated as often as a client was seen to bear them.
    package static let repeatedOutages: [Conduct.Refusal] = [.reset, .close, .handshakeFailure, .silence]

    /// After so many outages of one kind. In no set, where it is made for a client that was seen to bear as many.
    package static func afterOutages(
        _ outage: Conduct.Refusal, _ count: Int, in set: AttackSet = .named
    ) -> Variant {
        let (word, failure) =
            switch outage {
            case .reset: ("reset", "was reset")
            case .close: ("close", "was closed")
            case .handshakeFailure, .inappropriateFallback: ("alert", "failed in TLS")
            case .unrecognizedName: ("unrecognized-name", "was refused as of an unknown name")
            case .plainAnswer: ("plain-answer", "was answered in the clear")
            case .silence: ("timeout", "came to nothing in time")
            }
        return later(
            count == 1 ? "after-\(word)" : "after-\(count)-\(word)s", set, .afterOutage(outage, count),
            Advice.afterFailure(count == 1 ? failure : "\(failure) again and again"))
    }

    /// A form of `afterOutages` by its name.
    static func formAfterOutages(_ name: String) -> Variant? {
        guard let count = name.split(separator: "-").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        return repeatedOutages.map { afterOutages($0, count) }.first { $0.name == name }
    }

    private static func later(
        _ name: String, _ set: AttackSet, _ onset: Conduct.Onset, _ advice: String? = nil
    ) -> Variant {
        Variant(name: name, set: set, advice: advice, recipe: .likeTheGenuine, conduct: Conduct(onset: onset))
    }

    /// For connections with a pin of their own that is weaker than the others': by names, or by what is presented.
    private static func weakly(_ name: String, _ set: AttackSet, _ onset: Conduct.Onset) -> Variant {
        Variant(
            name: name, set: set, advice: Advice.weaker, recipe: .cloneAmongTheGenuine, conduct: Conduct(onset: onset))
    }

    /// Connections of a cold start to one host that the standard set's plan attacks alone, `trusted-ca/first-only` among them:
    /// each takes a cold start of its own. Those beyond come after the plan, where untouched trials show them in use.
    private static let aloneInStandard = 4
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Check the pin on every connection, in the client that sends: a look at one connection says nothing of the "
        + "next one."

    static let oneOfSeveral =
        "Check the pin on every connection, in the client that sends: one that was opened beside others was not looked at. "
        + "iOS: one delegate for uploads and background sessions too; Android: one `OkHttpClient`; Flutter: one client "
        + "for the whole app."

    static let lostAnswer =
        "Check the pin in the client itself, not by hand before the request: the answer was lost, and the client asked "
        + "again on a connection that the app did not see. Android: OkHttp with a `CertificatePinner` in place of "
        + "`HttpURLConnection`; iOS: the session's delegate."

    static let weaker =
        "Compare the same pin, of the chain that was verified, on every connection: this one was taken for its names, or for a "
        + "genuine certificate somewhere in the list, though others were looked at well. Look for a second client: of an SDK, for "
        + "uploads, for reconnects, or opened ahead; and for results that are kept by a serial number, names or dates, and not by the "
        + "certificate's SHA-256. iOS: one `URLSession` delegate; Android: one `OkHttpClient` with a "
        + "`CertificatePinner`; Flutter: one client for the whole app."

    static let signedIn =
        "Check the pin in every client of the app: with what an earlier start had left, a further connection was made and not "
        + "looked at. Look for code for those who are signed in already: a sync, a token's refresh, push. iOS: one `URLSession` "
        + "delegate for all; Android: one `OkHttpClient`, in workers too; Flutter: one client for the whole app."

    static let outbox =
        "Check the pin in every client of the app: what was refused at first went out later, on a further connection that was "
        + "not looked at. Look for what sends later: an outbox, a queue of events, uploads that are resumed. iOS: one "
        + "delegate for background sessions too; Android: one `OkHttpClient`, in workers too; Flutter: one client for the whole app."

    static let reconnectAhead =
        "Check the pin on every connection that is made anew: one that was opened ahead was closed before its first request, and "
        + "the one in its place was not looked at. Look for what takes connections out of a pool and replaces those that were "
        + "dropped. iOS: the delegate of the session that owns the task; Android: one `OkHttpClient`; Flutter: the "
        + "`connectionFactory` that makes each connection."

    static let reconnect =
        "Check the pin on every connection that is made anew: the first one was closed after it had worked, and the next one "
        + "was not looked at. Look for what reconnects by itself: a pool, a WebSocket, MQTT. iOS: the delegate of the session "
        + "that owns the task; Android: one `OkHttpClient` for calls and sockets; Flutter: the `HttpClient` that is given to "
        + "the socket's `connect`."

    static func afterFailure(_ failure: String) -> String {
        "Keep the pin when the client tries again: after a connection that \(failure), it went on without. Look for a second "
            + "client in `catch`. iOS: the same `URLSession`; Android: the same `OkHttpClient`, in interceptors too; "
            + "Flutter: the same client, and no plugin as the way out."
    }
}
