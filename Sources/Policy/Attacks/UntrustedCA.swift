import Facts

extension Attack {
    /// `trusted-ca`'s twin under a CA that was never installed: only a client that checks no issuer sends data.
    package static let untrustedCA = Attack(
        id: .untrustedCA, set: .quick,
        presents: "the same as trusted-ca, signed by a CA that was never installed",
        source: "CWE-295; Georgiev et al., CCS 2012", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-296"), reading: Reading(differential: .untrusted),
        recipe: Recipe(
            signer: .untrustedCA, subordinates: .inTheGenuineShape, identity: .likeTheGenuine,
            key: .likeTheLentOrGenuine, order: [.leaf, .subordinates, .intermediates, .rootIfShown],
            defects: [.untrustedIssuer]))
}
