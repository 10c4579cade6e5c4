import Facts

extension Attack {
    /// `trusted-ca`'s twin under a CA that was never installed: only a client that checks no issuer sends data.
    ///
    /// Stacks have several errors for an unknown issuer, and some apps forgive one of them: "self-signed certificate in
    /// chain" (OpenSSL's 19) comes where the root is shown, "unable to verify the first certificate" (21) where nothing but
    /// the leaf is. Each is a form; the plain one alone is compared with `trusted-ca`, and shown to controls.
    package static let untrustedCA = Attack(
        id: .untrustedCA, set: .quick,
        presents: "the same as trusted-ca, signed by a CA that was never installed",
        source: "CWE-295; Georgiev et al., CCS 2012", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-296"), advice: Advice.whole,
        variants: [
            Variant(
                name: nil, reading: Reading(differential: .untrusted),
                recipe: shown([.leaf, .subordinates, .intermediates, .rootIfShown])),
            Variant(
                name: "with-root", set: .all, advice: Advice.withRoot,
                recipe: shown([.leaf, .subordinates, .intermediates, .root])),
            Variant(name: "leaf-alone", set: .all, advice: Advice.leafAlone, recipe: shown([.leaf])),
        ])

    private static func shown(_ order: [Recipe.Part]) -> Recipe {
        Recipe(
            signer: .untrustedCA, subordinates: .inTheGenuineShape, identity: .likeTheGenuine,
            key: .likeTheLentOrGenuine, order: order, defects: [.untrustedIssuer])
    }
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Take out what trusts every issuer (trust-all managers, delegates and callbacks that always agree): the client "
        + "accepts a CA that nobody installed."

    static let withRoot =
        "Forgive no error of verification: a chain whose root was sent along (\"self-signed certificate in chain\") went by, "
        + "as a company's own CA perhaps, and anybody can send one. iOS: no `.useCredential` after `SecTrustEvaluateWithError` "
        + "has failed; Android: no `catch` of a `CertificateException` in a TrustManager; Flutter: no `badCertificateCallback`."

    static let leafAlone =
        "Forgive no error of verification: a certificate whose issuer is not there (\"unable to verify the first "
        + "certificate\") went by, as one of a server that forgot to send it, and anybody can make one. Mend the server's "
        + "list. iOS: no `.useCredential` after `SecTrustEvaluateWithError` has failed; Android: no `catch` of a "
        + "`CertificateException`; Flutter: no `badCertificateCallback`."
}
