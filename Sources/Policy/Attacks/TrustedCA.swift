import Facts

extension Attack {
    /// The pinning test itself: everything is right but the key. A client without a pin sends its request.
    ///
    /// A refusal speaks of a pin only where the client had nothing else to dislike, so the chain is as near to the genuine
    /// one as the CA allows (`Recipe.likeTheGenuine`). What cannot be both ways has a form each, under a chain that is
    /// short and plain. Some stacks check in one place for one kind of connection and forget it for the other: so there
    /// are forms of the server's manners as well. A client that has not on offer what such a form is made of cannot meet it.
    package static let trustedCA = Attack(
        id: .trustedCA, set: .quick,
        presents: "the genuine names, dates and extensions under other keys, signed by the CA the tester installed",
        source: "OWASP MASTG-TEST-0244", weakness: .unpinned,
        standards: .pin, reading: Reading(occasion: .offer),
        variants: [
            Variant(name: nil, reading: Reading(differential: .trusted), recipe: .likeTheGenuine),
            Variant(name: "tls-1.2", set: .all, recipe: .likeTheGenuine, conduct: Conduct(offer: .tls12)),
            Variant(name: "rsa-leaf", set: .all, recipe: Recipe(key: .rsa)),
            Variant(name: "http-1.1", set: .all, recipe: .likeTheGenuine, conduct: Conduct(offer: .http1)),
            Variant(name: "no-alpn", set: .all, recipe: .likeTheGenuine, conduct: Conduct(offer: .noALPN)),
            Variant(name: "other-key", set: .all, recipe: Recipe(key: .unusual)),
            // The host as the only name, nothing between the leaf and the CA: for who pins only what looks like the
            // genuine server's.
            Variant(name: "plain", set: .all),
            // For who finds its pins by the subject's name, or by the first of the alternative ones.
            Variant(name: "no-common-name", set: .all, recipe: Recipe(name: .noCommonName)),
            Variant(name: "foreign-common-name", set: .all, recipe: Recipe(name: .foreignCommonName)),
            Variant(name: "second-name", set: .all, recipe: Recipe(name: .second)),
            Variant(name: "wildcard", set: .all, recipe: Recipe(name: .wildcard)),
            // For who looks at the chain of another connection than the one that is used, or of another host.
            Variant(
                name: "first-only", set: .standard, recipe: .likeTheGenuine, conduct: Conduct(onset: .only(1))),
            Variant(
                name: "host-only", set: .all, reading: inCompany, recipe: .likeTheGenuine,
                conduct: Conduct(sparesOthers: true)),
            // For pins that come with a configuration, and are not there without it.
            Variant(
                name: "others-unreachable", set: .all, reading: inCompany, recipe: .likeTheGenuine,
                conduct: Conduct(cutsOffOthers: true)),
            // The same where its server answers, and has none.
            Variant(
                name: "others-answer-404", set: .all, reading: Reading(occasion: .offer, reserve: .besideForged),
                recipe: .likeTheGenuine, conduct: Conduct(emptiesOthers: true)),
            // For who sends a request on whatever connection has a certificate that names the host (RFC 9113 §9.1.1). The
            // host itself meets the plain form, so that what is not sent there shows a refusal all the same.
            Variant(
                name: "coalesced", set: .all, reading: Reading(occasion: .offer, reserve: .besideForged),
                recipe: .likeTheGenuine, conduct: Conduct(namesAttackedElsewhere: true)),
            // The first three at once, as far as a client can, and a short chain with the host as its only name. The
            // standard set has this one, where there is room for it.
            Variant(
                name: "older", set: .all, reading: Reading(occasion: .offer, reserve: .always),
                recipe: Recipe(key: .rsa), conduct: Conduct(offer: .older)),
        ])

    private static let inCompany = Reading(occasion: .offer, reserve: .inCompany)
}

extension Attack.Variant {
    /// What hosts are shown that are not attacked, under the name of `trusted-ca`: controls, those that are expected to
    /// accept, and every host of the debugging proxy.
    ///
    /// The host is the leaf's only name. A control's leaf that named a pinned host as well would let a client send that
    /// host's requests on the control's connection (RFC 9113 §9.1.1).
    package static let unattacked = Attack.Variant(name: nil)

    /// The same in `trusted-ca/others-answer-404`: it has nothing for anybody.
    static let unattackedAndEmpty = Attack.Variant(name: nil, conduct: Conduct(answer: .notFound))

    /// The same in `trusted-ca/coalesced`: the hosts that have to refuse are named as well, which elsewhere they are not.
    static func unattacked(naming attacked: [HostPattern]) -> Attack.Variant {
        attacked.isEmpty ? unattacked : Attack.Variant(name: "coalesced", recipe: Recipe(name: .targetBeside(attacked)))
    }

    /// Shown to a host that is not attacked, under the trusted CA.
    package var isUnattacked: Bool {
        if case .targetBeside = recipe.name { true } else { self == .unattacked || self == .unattackedAndEmpty }
    }

    /// Its twin under a CA that nobody installed: what a control is shown once, as one that takes it is none.
    static let unattackedUntrusted = Attack.Variant(
        name: nil, recipe: Recipe(signer: .untrustedCA, defects: [.untrustedIssuer]))
}
