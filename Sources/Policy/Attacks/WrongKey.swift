import Facts

extension Attack {
    /// The genuine, public chain without its private key: a client that does not verify the handshake signature
    /// (RFC 8446 §4.4.3, RFC 5246 §7.4.3) takes it for the origin. Also the probe of `verdicts`: a *signature* alert
    /// says that the certificate stage was passed.
    ///
    /// TLS 1.2 signs the key exchange and TLS 1.3 the transcript, in code of their own: `tls-1.2` is for clients that
    /// offer it where the origin takes 1.3 (CVE-2014-1266 was in the older one alone).
    package static let wrongKey = Attack(
        id: "wrong-key", set: .standard,
        presents: "the genuine chain, signed with another key",
        source: "CVE-2014-1266", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-347"), advice: Advice.whole, reading: Reading(probe: .genuineChain),
        variants: [
            Variant(name: nil, recipe: Recipe(key: .genuineWithoutItsPrivateKey, order: [.genuineChain])),
            Variant(
                name: "tls-1.2", reading: Reading(occasion: .offer, probe: .genuineChain),
                advice: Advice.olderTLS, recipe: Recipe(key: .genuineWithoutItsPrivateKey, order: [.genuineChain]),
                conduct: Conduct(offer: .tls12)),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Update the TLS library or replace it: it does not verify the handshake's signature, so anybody can show your "
        + "own certificate."

    static let olderTLS =
        "Update the TLS library or replace it: in TLS 1.2 it does not verify the signature over the key exchange, so "
        + "anybody can show your own certificate. iOS and Android: the system's own stack, up to date; Flutter: a current "
        + "engine; natively: no bundled TLS library of old."
}
