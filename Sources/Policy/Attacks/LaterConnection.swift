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
        standards: .pin, needsOccasion: true,
        variants: [
            Variant(name: "second", recipe: .likeTheGenuine, conduct: Conduct(onset: .afterConnections(1))),
            Variant(name: "third", set: .all, recipe: .likeTheGenuine, conduct: Conduct(onset: .afterConnections(2))),
            Variant(name: "after-2s", set: .all, recipe: .likeTheGenuine, conduct: Conduct(onset: .afterSeconds(2))),
            Variant(
                name: "after-3-requests", set: .all, recipe: .likeTheGenuine, conduct: Conduct(onset: .afterRequests(3))
            ),
            Variant(
                name: "after-reset", set: .all, recipe: .likeTheGenuine,
                conduct: Conduct(onset: .afterOutage(.reset, 1))),
            // As often as it takes for stacks that try again by themselves.
            Variant(
                name: "after-3-resets", set: .all, recipe: .likeTheGenuine,
                conduct: Conduct(onset: .afterOutage(.reset, 3))),
            Variant(
                name: "after-close", set: .all, recipe: .likeTheGenuine,
                conduct: Conduct(onset: .afterOutage(.close, 1))),
            Variant(
                name: "after-alert", set: .all, recipe: .likeTheGenuine,
                conduct: Conduct(onset: .afterOutage(.handshakeFailure, 1))),
            Variant(
                name: "after-timeout", set: .all, recipe: .likeTheGenuine,
                conduct: Conduct(onset: .afterOutage(.silence, 1))),
            // java.net.HttpURLConnection asks again by itself, on a connection that an app does not get to see: one that
            // checks by hand falls for this, and its team can mend that only by another client. So not in a set.
            Variant(
                name: "after-lost-answer", set: .named, recipe: .likeTheGenuine,
                conduct: Conduct(onset: .afterLostAnswer)),
        ])
}
