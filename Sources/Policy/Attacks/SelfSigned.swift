import Facts

extension Attack {
    /// The genuine leaf's names, dates and extensions in a certificate that vouches for itself.
    ///
    /// A client may forgive that to what it takes for its own server's certificate, and to no other; one that forgives it
    /// to any other forgives it to this one. So there is no form with the host's name alone. A safe client wants an
    /// issuer that it trusts (RFC 5280 §6.1).
    package static let selfSigned = Attack(
        id: "self-signed", set: .standard,
        presents: "the genuine certificate's names, dates and extensions, under its own signature",
        source: "CWE-295; MASTG-TEST-0021", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-296"), advice: Advice.whole,
        reading: Reading(differential: .alsoUntrusted),
        recipe: .clone(signer: .leafItself, subordinates: .none, order: [.leaf], defects: [.selfSigned]))
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Take out what accepts certificates that vouch for themselves: an exception for a test server has come along, and "
        + "your own names in it are anybody's. iOS: no `.useCredential` after a failed `SecTrustEvaluateWithError`; "
        + "Android: `debug-overrides` in place of code; Flutter: no `badCertificateCallback` in a release."
}
