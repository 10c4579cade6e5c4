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
        standards: .pin, reading: Reading(occasion: .furtherConnection),
        variants: [later("second", .standard, .afterConnections(1))] + alone + [
            later("after-2s", .all, .afterSeconds(2)),
            later("after-3-requests", .all, .afterRequests(3)),
            later("after-reset", .all, .afterOutage(.reset, 1)),
            // As often as it takes for stacks that try again by themselves.
            later("after-3-resets", .all, .afterOutage(.reset, 3)),
            later("after-close", .all, .afterOutage(.close, 1)),
            later("after-alert", .all, .afterOutage(.handshakeFailure, 1)),
            later("after-timeout", .all, .afterOutage(.silence, 1)),
            later("after-502", .all, .afterRefusedConnect(.badGateway)),
            later("after-407", .all, .afterRefusedConnect(.authentication)),
            later("after-no-tunnel", .all, .afterRefusedConnect(.silence)),
            later("after-no-answer", .all, .afterNoAnswer),
            // java.net.HttpURLConnection asks again by itself, on a connection that an app does not get to see: one that
            // checks by hand falls for this, and its team can mend that only by another client. So not in a set.
            later("after-lost-answer", .named, .afterLostAnswer),
        ])

    /// One connection alone, all others untouched. A client that gives up at its first refusal never comes to its third
    /// connection under `second`, and what it opens beside another one may depend on that.
    private static let alone: [Variant] = [
        "second-only", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
    ].enumerated().map { index, name in
        let place = index + 2
        return later(name, place <= aloneInStandard ? .standard : .all, .only(place))
    }

    private static func later(_ name: String, _ set: AttackSet, _ onset: Conduct.Onset) -> Variant {
        Variant(name: name, set: set, recipe: .likeTheGenuine, conduct: Conduct(onset: onset))
    }

    /// Connections of a cold start to one host that the standard set's plan attacks alone, `trusted-ca/first-only` among them:
    /// each takes a cold start of its own. Those beyond come after the plan, where untouched trials show them in use.
    private static let aloneInStandard = 4
}
