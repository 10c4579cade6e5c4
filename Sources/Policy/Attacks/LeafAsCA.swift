import Facts

extension Attack {
    /// Whoever owns a certificate for some domain would be a CA for all: the leaf is signed with the key of another
    /// server's certificate, which the trusted CA issued.
    ///
    /// A safe client wants CA:TRUE of every issuer (RFC 5280 §6.1.4). `ca-false` says plainly that it is none;
    /// `no-constraints` says nothing at all, and its key may be used for anything.
    package static let leafAsCA = Attack(
        id: "leaf-as-ca", set: .all,
        presents: "right name, signed with the key of another server's trusted certificate",
        source: "CVE-2002-0862, CVE-2011-0228", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-296"), advice: Advice.whole, reading: Reading(end: .unusable),
        variants: [
            Variant(
                name: "ca-false", recipe: Recipe(subordinates: .endEntity, defects: [.issuerIsEndEntity])),
            Variant(
                name: "no-constraints",
                recipe: Recipe(subordinates: .unconstrainedEndEntity, defects: [.issuerWithoutConstraints])),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Verify with the platform's validator: the client lets a certificate that is no CA sign others."
}
