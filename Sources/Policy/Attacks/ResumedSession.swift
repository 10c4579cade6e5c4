import Facts

extension Attack {
    /// `trusted-ca` by a server whose sessions can be resumed, by ticket or session id. A resumed handshake shows no
    /// certificate, so a client that shares one cache between pinned and unpinned code, or that keeps a session over a
    /// change of the server's key, sends data without a check. A safe client starts anew, or checks what it resumes:
    /// data on a connection that was resumed tells.
    ///
    /// `tls-1.2` is for clients that check behind the handshake: there a session comes with it, and in TLS 1.3 only once
    /// something more is read.
    ///
    /// `lent-first` begins the sessions under a lent key that the app pins (noted as `lent-key`, and no evidence), and
    /// presents another key once a session has carried data, while tickets and session ids stay good.
    package static let resumedSession = Attack(
        id: "resumed-session", set: .standard,
        presents: "trusted-ca, and sessions that can be resumed without showing it",
        source: "Apple QA1727; RFC 8446 §2.2; CWE-295", weakness: .bypass,
        standards: .pin, advice: Advice.whole, reading: Reading(occasion: .resumption),
        variants: [
            Variant(name: nil, recipe: .likeTheGenuine, conduct: Conduct(resumption: true)),
            Variant(
                name: "tls-1.2", advice: Advice.olderTLS, recipe: .likeTheGenuine,
                conduct: Conduct(offer: .tls12, resumption: true)),
            Variant(name: "lent-first", needs: .backupKey, recipe: .likeTheGenuine, conduct: Conduct(resumption: true)),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let olderTLS =
        "Check the pin in every version of TLS, on resumed sessions too, or switch resumption off for pinned hosts: in TLS 1.2 a "
        + "connection that is refused once its handshake is over leaves its session all the same."

    static let whole = "Check the pin on resumed sessions too, or switch resumption off for pinned hosts."
}
