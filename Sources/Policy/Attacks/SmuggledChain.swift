import Facts

extension Attack {
    /// Pins must be matched on the chain that was *verified*. A client that looks through the list as it was
    /// presented finds the genuine certificates there and lets the forged leaf pass. One that looks for the pinned key
    /// anywhere in a certificate finds it in the forged leaf itself, in an extension made for a second key.
    ///
    /// `after` ends as the origin's own list does, for a client that compares the last one. `issuers-alone` is the
    /// origin's list with another leaf, for clients that compare all above it, its length, or the second certificate (a
    /// CA with an intermediate of its own has to add that). `between` has the root too, at its own place;
    /// `issuers-first` has the genuine leaf right behind the forged one. `cloned` is `cloned-identity` among genuine
    /// certificates, for who looks for an issuer by its name and compares the one that is found, the first or the last;
    /// `identifiers` is the same by the key identifier, of which the genuine issuer comes last, and in `identifiers-first` first.
    /// `authority` has a leaf that says it is a CA, for who takes the first certificate that is none for the server's.
    /// `untrusted`, `self-signed`, `expired`, `not-yet-valid` and `other-host` are refused by every verification: who forgives one of
    /// those errors where the pinned certificate is somewhere in the list finds it there.
    package static let smuggledChain = Attack(
        id: "smuggled-chain", set: .standard,
        presents: "a trusted-ca leaf with the genuine key in an extension, and the genuine chain appended",
        source: "CVE-2016-2402, CVE-2026-87866", weakness: .bypass,
        standards: .pin, advice: Advice.whole,
        variants: [
            Variant(
                name: "after",
                recipe: Recipe(identity: .ownBesideTheGenuineKey, order: [.leaf, .intermediates, .root, .genuineChain])),
            Variant(
                name: "issuers-alone",
                recipe: Recipe(identity: .ownBesideTheGenuineKey, order: [.leaf, .shownIssuers, .intermediates])),
            Variant(
                name: "between", set: .all,
                recipe: Recipe(
                    identity: .ownBesideTheGenuineKey,
                    order: [.leaf, .genuineIssuers, .genuineLeaf, .intermediates, .root])),
            Variant(
                name: "issuers-first", set: .all,
                recipe: Recipe(
                    identity: .ownBesideTheGenuineKey,
                    order: [.leaf, .genuineLeaf, .genuineIssuers, .intermediates, .root])),
            Variant(
                name: "cloned", set: .all,
                recipe: .cloneAmongTheGenuine),
            Variant(
                name: "identifiers", set: .all,
                recipe: Recipe(
                    subordinates: .imitating(.init(hasRoot: false)), identity: .genuine, key: .likeTheGenuine,
                    order: [.leaf, .subordinates, .intermediates, .genuineChain])),
            Variant(
                name: "identifiers-first", set: .all,
                recipe: Recipe(
                    subordinates: .imitating(.init(hasRoot: false)), identity: .genuine, key: .likeTheGenuine,
                    order: [.leaf, .genuineIssuers, .subordinates, .intermediates])),
            Variant(
                name: "authority", set: .all, advice: Advice.firstOfNoCA,
                recipe: Recipe(
                    subordinates: .inTheGenuineShape, identity: .likeTheGenuine, key: .likeTheLentOrGenuine,
                    isAuthority: true, order: behindIt, defects: [.isCA])),
            Variant(
                name: "untrusted", set: .all, advice: Advice.unverified,
                recipe: Recipe(
                    signer: .untrustedCA, subordinates: .inTheGenuineShape, identity: .likeTheGenuine,
                    key: .likeTheLentOrGenuine, order: behindIt, defects: [.untrustedIssuer])),
            Variant(
                name: "self-signed", set: .all, advice: Advice.unverified,
                recipe: .clone(
                    signer: .leafItself, subordinates: .none, order: [.leaf, .genuineChain], defects: [.selfSigned])),
            Variant(
                name: "expired", set: .all, advice: Advice.unverified,
                recipe: .clone(validity: .expired, order: behindIt, defects: [.expired])),
            Variant(
                name: "not-yet-valid", set: .all, advice: Advice.unverified,
                recipe: .clone(validity: .notYetValid, order: behindIt, defects: [.notYetValid])),
            Variant(
                name: "other-host", set: .all, advice: Advice.unverified,
                recipe: .clone(name: .decoy, order: behindIt, defects: [.wrongName])),
        ])

    private static let behindIt: [Recipe.Part] = [.leaf, .subordinates, .intermediates, .genuineChain]
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Match the pins against the keys of the chain that was verified, not against the certificates as they were "
        + "presented, and not by looking for bytes in them: the pin is there and can be got around."

    static let firstOfNoCA =
        "Compare the first certificate, or the chain that was verified: the server's is not to be looked for by what certificates "
        + "say of themselves."

    static let unverified =
        "Refuse what verification refuses, before any pin is looked at: an error was forgiven because the pinned certificate "
        + "was somewhere in the list, where anybody can put it."
}
