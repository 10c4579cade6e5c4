import Facts

extension Attack {
    /// Everything that can be read in the genuine certificate, over another key: subject, issuer, serial, dates, names
    /// and extensions. The issuers above it are subordinate CAs made on the spot, which read as the genuine ones.
    ///
    /// A client that pins by any of these, or compares what its platform prints of a certificate, takes it for the
    /// genuine one. `without-root` is as long as the genuine list, for clients that compare the whole of it; the others
    /// have a look-alike of the root as well, for those that look for its name. `renewed` is for those that allow a later certificate of
    /// the same names. `untrusted` finds the client that does
    /// so *instead* of checking the issuer. `namesakes` is for a client that holds the genuine issuers, finds them behind the copied
    /// names and identifiers, and says that their keys have signed nothing here: it has not come to its pin. `identifiers` is for
    /// those that compare a root's key identifier, or an issuer's issuer's.
    package static let clonedIdentity = Attack(
        id: "cloned-identity", set: .standard,
        presents: "the genuine chain's names, serials, dates and extensions, over other keys",
        source: "CWE-290, CWE-295; OWASP MASTG-TEST-0021", weakness: .bypass,
        standards: .pin, advice: Advice.whole,
        variants: [
            Variant(
                name: "trusted",
                recipe: Recipe(subordinates: .genuineIssuerLookalikes, identity: .genuine, key: .likeTheGenuine)),
            Variant(
                name: "untrusted", advice: Advice.untrusted,
                recipe: Recipe(
                    signer: .untrustedCA, subordinates: .genuineIssuerLookalikes, identity: .genuine,
                    key: .likeTheGenuine, defects: [.untrustedIssuer])),
            Variant(
                name: "without-root", advice: Advice.withoutRoot,
                recipe: Recipe(
                    subordinates: .imitating(.init(hasRoot: false)), identity: .genuine, key: .likeTheGenuine)),
            Variant(
                name: "renewed", set: .all, advice: Advice.renewed,
                recipe: Recipe(subordinates: .genuineIssuerLookalikes, identity: .renewed, key: .likeTheGenuine)),
            Variant(
                name: "namesakes", set: .all, reading: Reading(reserve: .tookGenuineIssuer), advice: Advice.withoutRoot,
                recipe: Recipe(
                    subordinates: .imitating(.init(identifiers: .own, hasRoot: false)), identity: .genuine,
                    key: .likeTheGenuine)),
            Variant(
                name: "identifiers", set: .all, advice: Advice.identifiers,
                recipe: Recipe(
                    subordinates: .imitating(.init(identifiers: .genuine)), identity: .genuine, key: .likeTheGenuine)),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Compare the public key (its SPKI): names, serial numbers, dates and key identifiers can be copied by anybody."

    static let untrusted =
        "Compare the public key, and only in a chain that has been verified: here the genuine names made good what "
        + "verification had refused. iOS: no `.useCredential` after `SecTrustEvaluateWithError` has failed; Android: "
        + "`cancel()` in `onReceivedSslError`, no exception in a `checkServerTrusted`; Flutter: no "
        + "`badCertificateCallback` that compares names."

    static let renewed =
        "Compare the public key (its SPKI), also of a certificate that seems to be renewed: the same names and a later date are "
        + "what anybody can write. For a change of keys pin the next one ahead. iOS: a second entry in `NSPinnedDomains`; "
        + "Android: a backup pin in the `pin-set`; Flutter: a list of SPKIs."

    static let identifiers =
        "Compare the public key (its SPKI): a key identifier is what a certificate says of itself, a root's as well."

    static let withoutRoot =
        "Compare the public key (its SPKI): a list of certificates that reads as yours, with as many in it, is what "
        + "anybody can send. iOS: SPKIs of `SecTrustCopyCertificateChain`; Android: `CertificatePinner` or `pin-set`; "
        + "Flutter: the SPKI of `peerCertificate.der`."
}
