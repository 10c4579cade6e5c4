import Facts

extension Attack {
    /// A trusted chain over TLS that is broken since long: 1.0 and 1.1 (deprecated by RFC 8996), suites that encrypt
    /// nothing, suites that authenticate nobody. A safe client does not offer them, so the handshake ends with an alert
    /// on either side before any certificate: that settles it. Data tells of a client whose TLS protects nothing; one
    /// that finishes and then stops has a pin, and a stack that should be mended all the same.
    package static let oldTLS = Attack(
        id: "old-tls", set: .all,
        presents: "trusted-ca over an old version of TLS, or without encryption or authentication",
        source: "RFC 8996; RFC 9325 §4.1; CWE-326, CWE-757", weakness: .brokenTLS,
        standards: Standards(
            mastg: [Standards.protocolTest], maswe: [Standards.notEncrypted], cwe: ["CWE-322", "CWE-326", "CWE-757"]),
        advice: Advice.whole,
        reading: Reading(end: .any),
        variants: [
            Variant(name: "tls-1.0", conduct: Conduct(offer: .only(.tls10))),
            Variant(name: "tls-1.1", conduct: Conduct(offer: .only(.tls11))),
            Variant(name: "null-cipher", conduct: Conduct(offer: .unencrypted)),
            Variant(name: "anonymous", conduct: Conduct(offer: .anonymous)),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Offer TLS 1.2 and 1.3 alone, with the platform's list of suites: the client talks over broken ones."
}
