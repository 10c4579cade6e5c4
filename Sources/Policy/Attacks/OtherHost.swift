import Facts

extension Attack {
    /// A chain the client trusts, for a name it did not ask for (RFC 9525).
    ///
    /// The plain one has the genuine chain's subjects, dates and extensions, and the decoy as its only alternative name:
    /// what forgives a wrong name to any certificate forgives it to this one, and so does what forgives it to its own
    /// server's alone. `of-the-app` is for a control, or for another host that the app knows and does not pin: for who takes
    /// any of its own names. Under a pin of the CA the plain one is refused for the pin. `lent` is a chain that the pins accept, with its
    /// key: only the name is wrong. `same-ca` needs no key and gets as far as the signature: a client that complains
    /// of *it* had nothing against the name.
    package static let otherHost = Attack(
        id: "other-host", set: .standard,
        presents: "a trusted chain for another name",
        source: "CWE-297; Stone et al. (Spinner), ACSAC 2017", weakness: .brokenTLS,
        standards: .validation("CWE-297", test: Standards.hostnameTest), advice: Advice.whole,
        variants: [
            Variant(name: nil, recipe: .clone(name: .decoy, defects: [.wrongName])),
            Variant(
                name: "of-the-app", set: .all, advice: Advice.ofTheApp,
                recipe: Recipe(name: .known(nil), defects: [.wrongName])),
            Variant(
                name: "same-ca", needs: .sameCAChain, reading: Reading(probe: .anotherName),
                recipe: Recipe(key: .sameCAWithoutItsPrivateKey, order: [.sameCAChain])),
            Variant(name: "lent", needs: .otherHost, recipe: Recipe(key: .lentOtherHost, order: [.otherHostChain])),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let ofTheApp =
        "Compare the certificate's names with the host that is called, and with no list of hosts: a certificate for another host "
        + "that the app knows went by, and the pin was looked up for that one."

    static let whole =
        "Compare the host's name with the certificate's: the client accepts a valid certificate of anybody, if perhaps "
        + "only with your subject in it. iOS: `SecPolicyCreateSSL(true, host)`; Android: no `HostnameVerifier` of your own; "
        + "Flutter: no `badCertificateCallback`."
}
