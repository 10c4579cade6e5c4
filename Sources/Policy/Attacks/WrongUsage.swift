import Facts

extension Attack {
    /// A trusted chain that is not meant for this: for clients instead of servers, for a name that only a careless
    /// comparison takes for the right one, or from an issuer that may not sign it.
    ///
    /// A safe client compares whole alternative names by their length (RFC 9525 §6), and keeps to what issuers are
    /// allowed (RFC 5280 §6.1.4). A host of one label has neither a parent nor a top-level domain, and an address has
    /// none at all: they get what is closest, `*` and their own end, as text. Where the fault is not in a name, all names
    /// are the genuine ones.
    package static let wrongUsage = Attack(
        id: "wrong-usage", set: .all,
        presents: "a trusted chain whose use, name or issuer does not allow this host",
        source: "CVE-2009-2408, CVE-2009-2510; RFC 5280 §6.1.4, RFC 9525 §6", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-297", test: Standards.hostnameTest), advice: Advice.whole,
        reading: Reading(end: .unusable),
        variants: [
            Variant(
                name: "client-auth", advice: Advice.clientAuth,
                recipe: .clone(purpose: .client, defects: [.noServerAuth])),
            // OpenSSL falls back to the common name where there is no alternative one (RFC 6125 §6.4.4 allowed it): a
            // client that does is no worse than one without a pin, unless it has a pin for what else it is shown.
            Variant(
                name: "common-name-only", weakness: .bypass, advice: Advice.commonName,
                recipe: Recipe(name: .commonNameOnly, defects: [.noSAN])),
            Variant(name: "nul-in-san", recipe: Recipe(name: .beforeNUL, defects: [.nulInName])),
            Variant(name: "top-level-wildcard", recipe: Recipe(name: .topLevelWildcard, defects: [.wrongName])),
            Variant(name: "parent-domain", recipe: Recipe(name: .parentDomain, defects: [.wrongName])),
            Variant(name: "affixed-name", recipe: Recipe(name: .affixed, defects: [.wrongName])),
            Variant(
                name: "name-constraints", advice: Advice.nameConstraints,
                recipe: .clone(subordinates: .elsewhereOnly, defects: [.outsideNameConstraints])),
            Variant(
                name: "path-length", advice: Advice.pathLength,
                recipe: .clone(subordinates: .tooMany, defects: [.pathTooLong])),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Let the platform decide what a certificate may be used for: this client overlooks its names, its purpose or "
        + "the limits of its issuer."

    static let clientAuth = usage("a certificate that is for clients")

    static let nameConstraints = usage("a certificate that its issuer may not give out")

    static let pathLength = usage("a certificate below more CAs than are allowed")

    static let commonName =
        "Compare alternative names alone: the common name of a subject has not counted since RFC 6125."

    private static func usage(_ certificate: String) -> String {
        "Let the platform decide what a certificate may be used for, and forgive no error to one with your own names: "
            + "\(certificate) was taken. iOS: `SecPolicyCreateSSL(true, host)`, and its answer as it is; Android: no "
            + "TrustManager of your own; Flutter: no `badCertificateCallback`."
    }
}
