import Facts

extension Attack {
    /// The genuine, public chain without its private key: a client that does not verify the handshake signature
    /// (RFC 8446 §4.4.3, RFC 5246 §7.4.3) takes it for the origin. Also the probe of `verdicts`: a *signature* alert
    /// says that the certificate stage was passed.
    ///
    /// TLS 1.2 signs the key exchange and TLS 1.3 the transcript, in code of their own: `tls-1.2` is for clients that
    /// offer it where the origin takes 1.3 (CVE-2014-1266 was in the older one alone). `zero-signature` is an ECDSA signature
    /// whose two numbers are 0, which fits every message where nobody looks for that (Java 15 to 18).
    package static let wrongKey = Attack(
        id: "wrong-key", set: .standard,
        presents: "the genuine chain, signed with another key",
        source: "CVE-2014-1266, CVE-2022-21449", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-347"), advice: Advice.whole, reading: Reading(probe: .genuineChain),
        variants: [
            Variant(name: nil, recipe: Recipe(key: .genuineWithoutItsPrivateKey, order: [.genuineChain])),
            Variant(
                name: "tls-1.2", reading: Reading(occasion: .offer, probe: .genuineChain),
                advice: Advice.olderTLS, recipe: Recipe(key: .genuineWithoutItsPrivateKey, order: [.genuineChain]),
                conduct: Conduct(offer: .tls12)),
            oldTLS("tls-1.1", .tls11),
            oldTLS("tls-1.0", .tls10),
            Variant(
                name: "zero-signature", set: .all, advice: Advice.zeros,
                recipe: Recipe(key: .genuineSigningZeros, order: [.genuineChain])),
        ])

    /// For clients that still offer it: it has signatures of its own, by MD5 and SHA-1 together.
    private static func oldTLS(_ name: String, _ version: TLSVersion) -> Variant {
        Variant(
            name: name, set: .all, reading: Reading(occasion: .offer), advice: Advice.olderTLS,
            recipe: Recipe(key: .genuineWithoutItsPrivateKey, order: [.genuineChain]),
            conduct: Conduct(offer: .only(version)))
    }
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Update the TLS library or replace it: it does not verify the handshake's signature, so anybody can show your "
        + "own certificate."

    static let olderTLS =
        "Update the TLS library or replace it: in an older version of TLS it does not verify the signature over the key exchange, so "
        + "anybody can show your own certificate. iOS and Android: the system's own stack, up to date; Flutter: a current "
        + "engine; natively: no bundled TLS library of old."

    static let zeros =
        "Update the platform or its TLS library: a signature of zeros went by, with which anybody can show your own "
        + "certificate (CVE-2022-21449: Java 15 to 18). Java: 17.0.3 or 18.0.1 and later, or another security provider; where "
        + "signatures are verified by hand, both numbers have to be from 1 to the order less 1."
}
