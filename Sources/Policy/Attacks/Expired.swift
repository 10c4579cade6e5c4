import Facts

extension Attack {
    /// A trusted chain with the genuine names whose leaf ended 30 days ago.
    ///
    /// A client may forgive that to what it takes for its own server's certificate, by the names in the chain, and to no
    /// other; one that forgives it to any other forgives it to this one. So there is no form with the host's name alone.
    ///
    /// `issuer`: the leaf goes on, and what has ended is a CA above it with a genuine issuer's name. When AddTrust's root ended
    /// in 2020, and DST Root CA X3 in 2021, clients that built their paths over those failed, and apps were mended by
    /// forgiving just that.
    package static let expired = Attack(
        id: "expired", set: .standard,
        presents: "a trusted chain with the genuine names that ended in the past",
        source: "CWE-298; RFC 5280 §6.1.3", weakness: .brokenTLS,
        standards: .validation("CWE-298"), advice: Advice.whole,
        variants: [
            Variant(name: nil, recipe: .clone(validity: .expired, defects: [.expired])),
            Variant(
                name: "issuer", set: .all, advice: Advice.issuer,
                recipe: .clone(subordinates: .imitating(.init(hasEnded: true)), defects: [.expired])),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Let the client refuse certificates that have ended, whatever it pins and whosever names they bear. "
        + "Look for code that forgives one error where the subject is its own. iOS: no `SecTrustSetExceptions`; "
        + "Android: no `catch` of a `CertificateException` in a TrustManager; Flutter: no `badCertificateCallback`."

    static let issuer =
        "Let the client refuse a chain in which any certificate has ended, and give it current roots where one of its own has: an "
        + "issuer that had ended was forgiven, and with it the pin. Look for a callback that lets expiry go by above the "
        + "leaf (`depth > 0`), or that checks the leaf's dates by hand once the platform has refused. iOS: no "
        + "`SecTrustSetExceptions`; Android: no `catch` of a `CertificateException` in a TrustManager; Flutter: no "
        + "`badCertificateCallback`."
}
