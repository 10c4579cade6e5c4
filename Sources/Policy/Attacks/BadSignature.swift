import Facts

extension Attack {
    /// The issuer is named, and its signature is not there: names and key identifiers are copied by anyone.
    ///
    /// `corrupted` was signed by the trusted CA and changed, `other-key` never was; `genuine-issuer` names the origin's
    /// own issuer, which follows it in the list; `zeros` as well, and its ECDSA signature is two zeros (CVE-2022-21449). A safe client verifies each signature with its issuer's key.
    package static let badSignature = Attack(
        id: "bad-signature", set: .all,
        presents: "right name and issuer, with a signature that is not the issuer's",
        source: "CWE-347; Brubaker et al. (Frankencerts), IEEE S&P 2014", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-347"), advice: Advice.whole, reading: Reading(end: .unusable),
        variants: [
            Variant(name: "corrupted", recipe: Recipe(signature: .corrupted, defects: [.badSignature])),
            Variant(name: "other-key", recipe: Recipe(signature: .byAnotherKey, defects: [.badSignature])),
            Variant(
                name: "genuine-issuer",
                recipe: Recipe(
                    signer: .genuineIssuerInName, order: [.leaf, .genuineIssuers],
                    defects: [.untrustedIssuer, .badSignature])),
            Variant(
                name: "zeros", advice: Advice.zeros,
                recipe: Recipe(
                    signer: .genuineIssuerInName, signature: .zeros, order: [.leaf, .genuineIssuers],
                    defects: [.untrustedIssuer, .badSignature])),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Verify with the platform's validator: the client links certificates by name, and verifies no signature."

    static let zeros =
        "Update the platform or its TLS library: a certificate under a signature of zeros went by, with which anybody can sign "
        + "for your CA (CVE-2022-21449: Java 15 to 18). Java: 17.0.3 or 18.0.1 and later, or another security provider."
}
