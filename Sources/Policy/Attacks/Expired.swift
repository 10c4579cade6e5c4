import Facts

extension Attack {
    /// A trusted chain with the genuine names whose leaf ended 30 days ago.
    ///
    /// A client may forgive that to what it takes for its own server's certificate, by the names in the chain, and to no
    /// other; one that forgives it to any other forgives it to this one. So there is no form with the host's name alone.
    package static let expired = Attack(
        id: "expired", set: .standard,
        presents: "a trusted chain with the genuine names that ended in the past",
        source: "CWE-298; RFC 5280 §6.1.3", weakness: .brokenTLS,
        standards: .validation("CWE-298"), advice: Advice.whole,
        recipe: .clone(validity: .expired, defects: [.expired]))
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Let the client refuse certificates that have ended, whatever it pins and whosever names they bear. "
        + "Look for code that forgives one error where the subject is its own. iOS: no `SecTrustSetExceptions`; "
        + "Android: no `catch` of a `CertificateException` in a TrustManager; Flutter: no `badCertificateCallback`."
}
